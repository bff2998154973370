import { UnusableAudioError } from './audio-facts.ts';

/** An `mvhd` or `mdhd` (ISO 14496-12 §8.2.2, §8.4.2), which start with the same fields. */
export interface TimeHeader {
  /** Units per second. */
  readonly timescale: number;
  /** 0 if the file states that it is unknown. */
  readonly seconds: number;
  /** Its rewritten content: these numbers, empty dates, and no additional data. */
  readonly content: Buffer;
}

/** For version 0; version 1 has three numbers of twice the size. */
const CONTENT_BYTES = { mvhd: 100, mdhd: 24, tkhd: 84 };
const LONGER_BYTES = 12;
const MATRIX = toU32(0x10000, 0, 0, 0, 0x10000, 0, 0, 0, 0x4000_0000);
/** Normal speed and volume, no rotation; the next track id is 2. */
const MOVIE_REST = Buffer.concat([toU32(0x10000, 0x100_0000, 0, 0), MATRIX, Buffer.alloc(24), toU32(2)]);
/** No language. */
const MEDIA_REST = toU32(0x55c4_0000);
/** No layer, no group, normal volume, no picture. */
const TRACK_REST = Buffer.concat([toU32(0, 0, 0, 0x100_0000), MATRIX, toU32(0, 0)]);
/** An enabled track that is part of the presentation. */
const TRACK_FLAGS = 3;

/** Throws `UnusableAudioError` if the content is too short. */
export function readTimeHeader(type: 'mvhd' | 'mdhd', header: Buffer): TimeHeader {
  const { isLong, timesEnd } = measure(type, header);
  const timescale = header.readUInt32BE(timesEnd);
  const at = timesEnd + 4;
  const units = isLong ? Number(header.readBigUInt64BE(at)) : header.readUInt32BE(at);
  const isUnknown = units === (isLong ? 2 ** 64 : 0xffff_ffff);
  const start = Buffer.alloc(at + (isLong ? 8 : 4));
  start[0] = isLong ? 1 : 0;
  header.copy(start, timesEnd, timesEnd, start.byteLength);
  return {
    timescale,
    seconds: isUnknown ? 0 : units / timescale,
    content: Buffer.concat([start, type === 'mvhd' ? MOVIE_REST : MEDIA_REST]),
  };
}

/** The rewritten content of a `tkhd` (§8.3.2), as the only track. Throws `UnusableAudioError`. */
export function cleanTrackHeader(header: Buffer): Buffer {
  const { isLong, timesEnd } = measure('tkhd', header);
  const durationAt = timesEnd + 8;
  const start = Buffer.alloc(durationAt + (isLong ? 8 : 4));
  start.writeUInt32BE(TRACK_FLAGS, 0);
  start[0] = isLong ? 1 : 0;
  start.writeUInt32BE(1, timesEnd);
  header.copy(start, durationAt, durationAt, start.byteLength);
  return Buffer.concat([start, TRACK_REST]);
}

/** `timesEnd`: where the two dates at the start of each of them end. */
function measure(type: keyof typeof CONTENT_BYTES, header: Buffer) {
  const isLong = header[0] === 1;
  if (header.byteLength < CONTENT_BYTES[type] + (isLong ? LONGER_BYTES : 0)) {
    throw new UnusableAudioError(`${type} is too short`);
  }
  return { isLong, timesEnd: isLong ? 20 : 12 };
}

function toU32(...values: readonly number[]): Buffer {
  const bytes = Buffer.alloc(values.length * 4);
  for (const [index, value] of values.entries()) bytes.writeUInt32BE(value, index * 4);
  return bytes;
}
