import { UnusableAudioError } from './facts.ts';

/** What an `mvhd` or `mdhd` (ISO 14496-12 §8.2.2, §8.4.2) says of time; both start with the same fields. */
export interface TimeHeader {
  /** Version 1: times have 64 bits. */
  readonly isLong: boolean;
  /** Units per second. */
  readonly timescale: number;
  /** The duration. */
  readonly units: number;
}

/** What a `tkhd` (§8.3.2) says. */
export interface TrackHeader extends Omit<TimeHeader, 'timescale'> {
  readonly id: number;
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
  return { isLong, timescale, units: readUnits(header, timesEnd + 4, isLong) };
}

/** The content of a header of these numbers, with empty dates. */
export function makeTimeHeader(type: 'mvhd' | 'mdhd', header: TimeHeader): Buffer {
  const duration = makeUnits(header);
  const start = Buffer.alloc(duration.isLong ? 24 : 16);
  start[0] = duration.isLong ? 1 : 0;
  start.writeUInt32BE(header.timescale, start.byteLength - 4);
  return Buffer.concat([start, duration.bytes, type === 'mvhd' ? MOVIE_REST : MEDIA_REST]);
}

/** Throws `UnusableAudioError` if the content is too short. */
export function readTrackHeader(header: Buffer): TrackHeader {
  const { isLong, timesEnd } = measure('tkhd', header);
  return { isLong, id: header.readUInt32BE(timesEnd), units: readUnits(header, timesEnd + 8, isLong) };
}

/** The content of a `tkhd` of this length, as the only track. */
export function makeTrackHeader(header: Omit<TrackHeader, 'id'>): Buffer {
  const duration = makeUnits(header);
  const start = Buffer.alloc(duration.isLong ? 28 : 20);
  start.writeUInt32BE(TRACK_FLAGS, 0);
  start[0] = duration.isLong ? 1 : 0;
  start.writeUInt32BE(1, start.byteLength - 8);
  return Buffer.concat([start, duration.bytes, TRACK_REST]);
}

function readUnits(header: Buffer, at: number, isLong: boolean): number {
  return isLong ? Number(header.readBigUInt64BE(at)) : header.readUInt32BE(at);
}

/** A corrected length may need the longer version. */
function makeUnits({ isLong, units }: Pick<TimeHeader, 'isLong' | 'units'>) {
  if (!isLong && units <= 0xffff_ffff) return { isLong: false, bytes: toU32(units) };
  const bytes = Buffer.alloc(8);
  bytes.writeBigUInt64BE(BigInt(units));
  return { isLong: true, bytes };
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
