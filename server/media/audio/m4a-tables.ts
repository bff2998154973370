import { UnusableAudioError } from './facts.ts';
import type { AudioPiece } from './facts.ts';
import { FRAMES_MAX, u32 } from './m4a-sizes.ts';
import type { FrameSizes } from './m4a-sizes.ts';

/**
 * The shortest frame with a channel: identifiers, gain, window and end, without a spectrum (ISO 14496-3 §4.4.2). Frames
 * of digital silence have that many bytes; files with shorter ones only waste a decoder's time.
 */
const FRAME_BYTES_MIN = 4;
/** An hour of sound, interleaved with a text each second, has 3,600. */
const RANGES_MAX = 10_000;

type Range = Exclude<AudioPiece, Uint8Array>;

export interface Chunk extends Range {
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

/** The chunks of the tables. Throws `UnusableAudioError` if they do not hold each frame once. */
export function readChunks({ sizes, stsc, offsets }: SampleTables): Chunk[] {
  const starts = readOffsets(offsets);
  const runs = readRuns(stsc);
  const ranges: Chunk[] = [];
  let run = 0;
  let frame = 0;
  for (const [index, start] of starts.entries()) {
    while ((runs[run + 1]?.firstChunk ?? Infinity) <= index + 1) run += 1;
    const frames = runs[run]?.frames ?? 0;
    if (frame + frames > sizes.count)
      throw new UnusableAudioError('the chunks hold more frames than there are');
    let end = start;
    for (const last = frame + frames; frame < last; frame += 1) end += sizes.at(frame);
    if (frames > 0) ranges.push({ start, end, frames });
  }
  if (frame !== sizes.count) throw new UnusableAudioError('frames are missing');
  return ranges;
}

/** Throws `UnusableAudioError` for chunks that are empty, or outside of the file's first `fileBytes`. */
export function sumChunks(ranges: readonly Chunk[], fileBytes: number): Chunks {
  let bytes = 0;
  let frames = 0;
  for (const range of ranges) {
    if (range.end > fileBytes) throw new UnusableAudioError('a chunk lies outside of the file');
    bytes += range.end - range.start;
    frames += range.frames;
    // Overlapping chunks could turn a small file into a large one.
    if (bytes > fileBytes) throw new UnusableAudioError('the chunks are larger than the file');
  }
  if (bytes === 0) throw new UnusableAudioError('there are no frames');
  if (bytes < frames * FRAME_BYTES_MIN) throw new UnusableAudioError('the frames are too short for sound');
  return { ranges, bytes, frames };
}

function readOffsets({ type, content }: SampleTables['offsets']): number[] {
  const count = u32(content, 4);
  const width = type === 'stco' ? 4 : 8;
  if (count > FRAMES_MAX || content.byteLength < 8 + count * width) {
    throw new UnusableAudioError('offsets are missing');
  }
  return Array.from({ length: count }, (_, index) =>
    type === 'stco' ? content.readUInt32BE(8 + index * 4) : Number(content.readBigUInt64BE(8 + index * 8)),
  );
}

function readRuns(stsc: Buffer): { firstChunk: number; frames: number }[] {
  const count = u32(stsc, 4);
  if (count > FRAMES_MAX || stsc.byteLength < 8 + count * 12)
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
    if (merged.length > RANGES_MAX)
      throw new UnusableAudioError('the frames are in too many separate ranges');
  }
  return merged;
}
