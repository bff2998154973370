import { createMp3Encoder } from 'wasm-media-encoders';
import { SAMPLE_RATE, type Stereo } from './synth/audio.ts';

export interface Tags {
  title: string;
  artist: string;
  album: string;
}

const encoder = await createMp3Encoder();

/** kbit/s, for both channels together. */
const STEREO_BIT_RATE = 112;
const MONO_BIT_RATE = 64;

/** Samples that the encoder inserts before the first one, as stated in LAME's tag. */
const ENCODER_DELAY = 576;
const FRAME_SAMPLES = 1152;

/** MP3 (CBR) with ID3v2.4 tags and a LAME info frame, so that players remove the encoder's padding. */
export function encodeMp3(sound: Stereo | Float32Array, tags: Tags): Uint8Array {
  const channels = sound instanceof Float32Array ? [sound] : [sound.left, sound.right];
  const stereo = channels.length === 2;
  encoder.configure({
    sampleRate: SAMPLE_RATE,
    channels: stereo ? 2 : 1,
    bitrate: stereo ? STEREO_BIT_RATE : MONO_BIT_RATE,
  });
  // Both calls return views of the encoder's own memory.
  const body = encoder.encode(channels).slice();
  const rest = encoder.finalize().slice();
  const frames = join(body, rest);
  const samples = channels[0]?.length ?? 0;
  return join(id3(tags), infoFrame(frames, samples, stereo), frames);
}

function join(...parts: Uint8Array[]): Uint8Array {
  const out = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    out.set(part, at);
    at += part.length;
  }
  return out;
}

/** ID3v2.4, https://id3.org/id3v2.4.0-structure: text frames in UTF-8, sizes with seven bits per byte. */
function id3(tags: Tags): Uint8Array {
  const frames = Object.entries({ TIT2: tags.title, TPE1: tags.artist, TALB: tags.album })
    .filter(([, text]) => text !== '')
    .map(([id, text]) => {
      const content = Buffer.from(`\u0003${text}`, 'utf8');
      return Buffer.concat([
        Buffer.from(id, 'latin1'),
        sevenBit(content.length),
        Buffer.from([0, 0]),
        content,
      ]);
    });
  const content = Buffer.concat(frames);
  return Buffer.concat([Buffer.from('ID3\u0004\u0000\u0000', 'latin1'), sevenBit(content.length), content]);
}

function sevenBit(size: number): Buffer {
  return Buffer.from([(size >> 21) & 127, (size >> 14) & 127, (size >> 7) & 127, size & 127]);
}

/**
 * The silent first frame that LAME writes: number of frames, a seek table, and how many samples to drop at both ends
 * (http://gabriel.mp3-tech.org/mp3infotag.html).
 */
function infoFrame(frames: Uint8Array, samples: number, stereo: boolean): Buffer {
  const bitRate = stereo ? STEREO_BIT_RATE : MONO_BIT_RATE;
  const size = Math.floor((144_000 * bitRate) / SAMPLE_RATE);
  const count = Math.round(frames.length / ((144_000 * bitRate) / SAMPLE_RATE));
  const frame = Buffer.alloc(size);
  frame.set(frames.subarray(0, 4));
  // Same header as the others, without the padding byte.
  frame[2] = (frame[2] ?? 0) & ~2;
  let at = 4 + (stereo ? 32 : 17);
  at += frame.write('Info', at, 'latin1');
  at = frame.writeUInt32BE(0x0f, at);
  at = frame.writeUInt32BE(count, at);
  at = frame.writeUInt32BE(size + frames.length, at);
  for (let i = 0; i < 100; i++) at = frame.writeUInt8(Math.floor((i * 256) / 100), at);
  at = frame.writeUInt32BE(50, at);
  at += frame.write('LAME3.100', at, 'latin1');
  at = frame.writeUInt8(0x01, at);
  // Lowpass, peak, two gains, encoding flags: unknown.
  at += 1 + 4 + 2 + 2 + 1;
  at = frame.writeUInt8(bitRate, at);
  const padding = Math.min(4095, Math.max(0, count * FRAME_SAMPLES - ENCODER_DELAY - samples));
  at = frame.writeUIntBE((ENCODER_DELAY << 12) | padding, at, 3);
  at += 1 + 1 + 2;
  at = frame.writeUInt32BE(size + frames.length, at);
  at = frame.writeUInt16BE(0, at);
  frame.writeUInt16BE(crc16(frame.subarray(0, at)), at);
  return frame;
}

/** CRC-16/ARC, as required by the info frame. */
function crc16(bytes: Uint8Array): number {
  let crc = 0;
  for (const byte of bytes) {
    crc ^= byte;
    for (let bit = 0; bit < 8; bit++) crc = crc & 1 ? (crc >> 1) ^ 0xa001 : crc >> 1;
  }
  return crc;
}
