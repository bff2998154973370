import { UnusableAudioError } from './audio-facts.ts';
import type { AudioPiece } from './audio-facts.ts';

/** An hour at 96 kHz has 337,500. */
const SAMPLES_MAX = 400_000;
/** An hour of sound, interleaved with a text each second, has 3,600. */
const RANGES_MAX = 10_000;

type Range = Exclude<AudioPiece, Uint8Array>;

interface Chunk extends Range {
  readonly frames: number;
}

/** The positions of a track's frames: one file range per chunk, in playback order. */
export interface Chunks {
  readonly ranges: readonly Chunk[];
  /** For all chunks together. */
  readonly bytes: number;
  readonly frames: number;
}

/** The tables of ISO 14496-12 §8.6–8.7 as box contents. */
export interface SampleTables {
  readonly sizes: FrameSizes;
  readonly stsc: Buffer;
  readonly offsets: { readonly type: 'stco' | 'co64'; readonly content: Buffer };
}

interface FrameSizes {
  readonly count: number;
  /** In bytes. */
  at(frame: number): number;
  /** The rewritten `stsz`, without trailing data. */
  readonly content: Buffer;
}

/** Throws `UnusableAudioError` for tables that are inconsistent or point outside of the file. */
export function readChunks({ sizes, stsc, offsets }: SampleTables, fileBytes: number): Chunks {
  const starts = readOffsets(offsets);
  const runs = readRuns(stsc);
  const ranges: Chunk[] = [];
  let run = 0;
  let frame = 0;
  let bytes = 0;
  for (const [index, start] of starts.entries()) {
    while ((runs[run + 1]?.firstChunk ?? Infinity) <= index + 1) run += 1;
    const frames = runs[run]?.frames ?? 0;
    if (frame + frames > sizes.count)
      throw new UnusableAudioError('the chunks hold more frames than there are');
    let end = start;
    for (const last = frame + frames; frame < last; frame += 1) end += sizes.at(frame);
    if (end > fileBytes) throw new UnusableAudioError('a chunk lies outside of the file');
    bytes += end - start;
    // Overlapping chunks could turn a small file into a large one.
    if (bytes > fileBytes) throw new UnusableAudioError('the chunks are larger than the file');
    if (frames > 0) ranges.push({ start, end, frames });
  }
  if (frame !== sizes.count || bytes === 0) throw new UnusableAudioError('frames are missing');
  return { ranges, bytes, frames: frame };
}

/** Throws `UnusableAudioError` for an `stsz` that is too short, or too long for a sound. */
export function readSizes(stsz: Buffer): FrameSizes {
  const common = u32(stsz, 4);
  const count = u32(stsz, 8);
  if (count > SAMPLES_MAX) throw new UnusableAudioError('too many frames');
  const content = Buffer.from(stsz.subarray(0, 12 + (common === 0 ? count * 4 : 0))).fill(0, 0, 4);
  if (common === 0 && content.byteLength < 12 + count * 4) throw new UnusableAudioError('sizes are missing');
  return { count, at: (frame) => (common === 0 ? content.readUInt32BE(12 + frame * 4) : common), content };
}

function readOffsets({ type, content }: SampleTables['offsets']): number[] {
  const count = u32(content, 4);
  const width = type === 'stco' ? 4 : 8;
  if (count > SAMPLES_MAX || content.byteLength < 8 + count * width) {
    throw new UnusableAudioError('offsets are missing');
  }
  return Array.from({ length: count }, (_, index) =>
    type === 'stco' ? content.readUInt32BE(8 + index * 4) : Number(content.readBigUInt64BE(8 + index * 8)),
  );
}

function readRuns(stsc: Buffer): { firstChunk: number; frames: number }[] {
  const count = u32(stsc, 4);
  if (count > SAMPLES_MAX || stsc.byteLength < 8 + count * 12)
    throw new UnusableAudioError('runs are missing');
  return Array.from({ length: count }, (_, index) => ({
    firstChunk: stsc.readUInt32BE(8 + index * 12),
    frames: stsc.readUInt32BE(12 + index * 12),
  }));
}

/** The content of an `stco`: the offsets of consecutive chunks, starting at `start`. */
export function toOffsets({ ranges }: Chunks, start: number): Buffer {
  const content = Buffer.alloc(8 + ranges.length * 4);
  content.writeUInt32BE(ranges.length, 4);
  let at = start;
  for (const [index, range] of ranges.entries()) {
    content.writeUInt32BE(at, 8 + index * 4);
    at += range.end - range.start;
  }
  return content;
}

/** The `stsc` of these chunks: the number of frames of each, with one entry per run of equal chunks. */
export function toRuns({ ranges }: Chunks): Buffer {
  const runs: number[][] = [];
  for (const [index, { frames }] of ranges.entries()) {
    if (frames !== ranges[index - 1]?.frames) runs.push([index + 1, frames, 1]);
  }
  return makeTable(runs);
}

/** A table of numbers, preceded by their count. */
export function makeTable(rows: readonly (readonly number[])[]): Buffer {
  const content = Buffer.alloc(8 + rows.length * (rows[0]?.length ?? 0) * 4);
  content.writeUInt32BE(rows.length, 4);
  let at = 8;
  for (const value of rows.flat()) at = content.writeUInt32BE(value, at);
  return content;
}

/**
 * Merges adjacent ranges: most files are then read sequentially. Throws `UnusableAudioError` if there are far too many.
 */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const last = merged.at(-1);
    if (last?.end === start) last.end = end;
    else merged.push({ start, end });
    if (merged.length > RANGES_MAX) throw new UnusableAudioError('the frames are torn apart');
  }
  return merged;
}

/** The number at `at`. Throws `UnusableAudioError` if the content ends before it. */
export function u32(content: Buffer, at: number): number {
  if (at + 4 > content.byteLength) throw new UnusableAudioError('a box is too short');
  return content.readUInt32BE(at);
}
