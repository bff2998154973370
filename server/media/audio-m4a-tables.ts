import { UnusableAudioError } from './audio-facts.ts';
import type { AudioPiece } from './audio-facts.ts';

/** An hour at 96 kHz has 337,500. */
const SAMPLES_MAX = 400_000;

type Range = Exclude<AudioPiece, Uint8Array>;

/** Where a track's frames lie: one range of the file a chunk, in the order they are played in. */
export interface Chunks {
  readonly ranges: readonly Range[];
  /** Of all chunks together. */
  readonly bytes: number;
  readonly frames: number;
}

/** The tables of ISO 14496-12 §8.6–8.7 as contents of their boxes. */
export interface SampleTables {
  readonly stsz: Buffer;
  readonly stsc: Buffer;
  readonly offsets: { readonly type: 'stco' | 'co64'; readonly content: Buffer };
}

/** Throws `UnusableAudioError` for tables that contradict each other or lead out of the file. */
export function readChunks({ stsz, stsc, offsets }: SampleTables, fileBytes: number): Chunks {
  const sizeOf = readSizes(stsz);
  const starts = readOffsets(offsets);
  const runs = readRuns(stsc);
  const ranges: Range[] = [];
  let run = 0;
  let frame = 0;
  let bytes = 0;
  for (const [index, start] of starts.entries()) {
    while ((runs[run + 1]?.firstChunk ?? Infinity) <= index + 1) run += 1;
    const frames = runs[run]?.frames ?? 0;
    if (frame + frames > sizeOf.count)
      throw new UnusableAudioError('the chunks hold more frames than there are');
    let end = start;
    for (const last = frame + frames; frame < last; frame += 1) end += sizeOf.at(frame);
    if (end > fileBytes) throw new UnusableAudioError('a chunk lies outside of the file');
    bytes += end - start;
    // Chunks that overlap could make a small file a large one.
    if (bytes > fileBytes) throw new UnusableAudioError('the chunks are larger than the file');
    ranges.push({ start, end });
  }
  if (frame !== sizeOf.count || bytes === 0) throw new UnusableAudioError('frames are missing');
  return { ranges, bytes, frames: frame };
}

function readSizes(stsz: Buffer) {
  const common = u32(stsz, 4);
  const count = u32(stsz, 8);
  if (count > SAMPLES_MAX) throw new UnusableAudioError('too many frames');
  if (common === 0 && stsz.byteLength < 12 + count * 4) throw new UnusableAudioError('sizes are missing');
  return { count, at: (frame: number) => (common === 0 ? stsz.readUInt32BE(12 + frame * 4) : common) };
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

/** The offsets of chunks that lie one after the other, from `start` on, as the content of an `stco`. */
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

/** Neighbours become one: most files are read in one go. */
export function mergeRanges(ranges: readonly Range[]): Range[] {
  const merged: { start: number; end: number }[] = [];
  for (const { start, end } of ranges) {
    const last = merged.at(-1);
    if (last?.end === start) last.end = end;
    else merged.push({ start, end });
  }
  return merged;
}

/** The number at `at`. Throws `UnusableAudioError` where the content ends before. */
export function u32(content: Buffer, at: number): number {
  if (at + 4 > content.byteLength) throw new UnusableAudioError('a box is too short');
  return content.readUInt32BE(at);
}
