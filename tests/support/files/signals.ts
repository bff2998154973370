import { createMp3Encoder } from 'wasm-media-encoders';
import { createSoundAnalysis } from '#server/media/analysis/sound-analysis.ts';
import type { SoundAnalysis } from '#server/media/analysis/sound-analysis.ts';

export const RATE = 44_100;

/** A tone; its level is the peak level, as in EBU Tech 3341. */
export function tone(seconds: number, dbfs: number, { hz = 997, rate = RATE } = {}): Float32Array {
  const top = 10 ** (dbfs / 20);
  return Float32Array.from(
    { length: Math.round(seconds * rate) },
    (_, index) => top * Math.sin((2 * Math.PI * hz * index) / rate),
  );
}

export function silence(seconds: number, rate = RATE): Float32Array {
  return new Float32Array(Math.round(seconds * rate));
}

export function join(...parts: readonly Float32Array[]): Float32Array {
  const joined = new Float32Array(parts.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const part of parts) {
    joined.set(part, at);
    at += part.length;
  }
  return joined;
}

/** The sound with each sample multiplied by the `gain` of its second. */
export function shape(
  samples: Float32Array,
  gain: (second: number, seconds: number) => number,
  rate = RATE,
): Float32Array {
  return samples.map((sample, index) => sample * gain(index / rate, samples.length / rate));
}

/** The measurements of PCM that arrives in pieces, as from a decoder. */
export function analyse(
  channels: readonly Float32Array[],
  {
    rate = RATE,
    channelCount = channels.length,
    configuration = channels.length,
    pieceSamples = 10_007,
  } = {},
): SoundAnalysis {
  const count = channelCount === 1 ? 1 : 2;
  const analysis = createSoundAnalysis(rate, { count, configuration });
  const length = channels[0]?.length ?? 0;
  for (let at = 0; at < length; at += pieceSamples) {
    analysis.add(channels.map((samples) => samples.subarray(at, at + pieceSamples)));
  }
  const result = analysis.finish();
  if (result === null) throw new Error('there is no sound');
  return result;
}

/** A real mono or stereo MP3 of `RATE`, without the info frame by which players remove padding. */
export async function encodeMp3(
  channels: readonly Float32Array[],
  bitrate: 64 | 128 | 192 = 192,
): Promise<Buffer> {
  const encoder = await createMp3Encoder();
  const channelCount = channels.length === 1 ? 1 : 2;
  encoder.configure({ sampleRate: RATE, outputSampleRate: RATE, channels: channelCount, bitrate });
  const body = Buffer.from(encoder.encode([...channels] as [Float32Array, Float32Array]));
  return Buffer.concat([body, encoder.finalize()]);
}
