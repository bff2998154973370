/** The part of a decoded sound that is repeated. */
export interface LoopSpan {
  readonly startSec: number;
  readonly endSec: number;
}

/** The delay of every MP3 decoder, in samples. */
const DECODER_DELAY = 529;
/** What decoders add to the padding: the frame with the information, and another one. */
const EXTRA_SAMPLES_MAX = 2 * 1_152;

/**
 * The part of a decoded sound without what the encoder has added at both ends. Most decoders have removed that already,
 * which the length shows. `head` is the beginning of the file; of formats other than MP3 everything is repeated.
 */
export function findLoopSpan(head: Uint8Array, decodedSec: number): LoopSpan {
  const whole = { startSec: 0, endSec: decodedSec };
  const info = readMp3Info(head);
  if (!info) return whole;
  const { sampleRateHz, samples, delay, padding } = info;
  const audible = samples - delay - padding;
  const excess = Math.round(decodedSec * sampleRateHz) - audible;
  if (audible <= 0 || excess < (delay + padding) / 2) return whole;
  // Joined files have the information of the first one.
  if (excess > delay + padding + EXTRA_SAMPLES_MAX) return whole;
  // Some decode the frame with the information as well: silence in front.
  const start = delay + DECODER_DELAY + Math.max(0, excess - delay - padding);
  return { startSec: start / sampleRateHz, endSec: Math.min((start + audible) / sampleRateHz, decodedSec) };
}

interface Mp3Info {
  readonly sampleRateHz: number;
  /** Of all frames. */
  readonly samples: number;
  readonly delay: number;
  readonly padding: number;
}

/** What LAME and FFmpeg write into the first frame (http://gabriel.mp3-tech.org/mp3infotag.html). */
function readMp3Info(head: Uint8Array): Mp3Info | null {
  const view = new DataView(head.buffer, head.byteOffset, head.byteLength);
  const textAt = (at: number) => String.fromCharCode(...head.subarray(at, at + 4));
  // Layer III.
  if (head.length < 192 || (view.getUint16(0) & 0xffe6) !== 0xffe2) return null;
  const version = (view.getUint8(1) >> 3) & 3;
  const rate = [44_100, 48_000, 32_000][(view.getUint8(2) >> 2) & 3];
  const isMono = view.getUint8(3) >> 6 === 3;
  const isVersion1 = version === 3;
  const at = 4 + (isVersion1 ? (isMono ? 17 : 32) : isMono ? 9 : 17);
  if (rate === undefined || !['Xing', 'Info'].includes(textAt(at))) return null;
  const fields = view.getUint32(at + 4);
  const sizes = [4, 4, 100, 4].filter((_, bit) => (fields >> bit) & 1);
  const encoderAt = sizes.reduce((sum, size) => sum + size, at + 8);
  if (!(fields & 1) || !['LAME', 'Lavc', 'Lavf'].includes(textAt(encoderAt))) return null;
  const both = view.getUint32(encoderAt + 20) & 0xffffff;
  return {
    sampleRateHz: rate >> (isVersion1 ? 0 : version === 2 ? 1 : 2),
    samples: view.getUint32(at + 8) * (isVersion1 ? 1_152 : 576),
    delay: both >> 12,
    padding: both & 0xfff,
  };
}
