import { UnusableAudioError } from './facts.ts';
import { has } from './m4a-boxes.ts';
import type { Box, BoxReader } from './m4a-boxes.ts';

/** An hour at 96 kHz has 337,500. */
export const FRAMES_MAX = 400_000;

/** The sizes of a track's frames. */
export interface FrameSizes {
  readonly count: number;
  /** In bytes. */
  at(frame: number): number;
  /** The content of an `stsz`, without trailing data. */
  readonly content: Buffer;
}

/**
 * Reads the `stsz` of a sample table, or its compact form, `stz2` (ISO 14496-12 §8.7.3). Throws `UnusableAudioError`
 * for a table that is too short, or too long for a sound.
 */
export async function readSizes(reader: BoxReader, table: readonly Box[]): Promise<FrameSizes> {
  return has(table, 'stsz') || !has(table, 'stz2')
    ? readTable(await reader.content(table, 'stsz'))
    : readCompactTable(await reader.content(table, 'stz2'));
}

function readTable(stsz: Buffer): FrameSizes {
  const common = u32(stsz, 4);
  const count = readCount(stsz);
  const content = Buffer.from(stsz.subarray(0, 12 + (common === 0 ? count * 4 : 0))).fill(0, 0, 4);
  if (common === 0 && content.byteLength < 12 + count * 4) throw new UnusableAudioError('sizes are missing');
  return { count, at: (frame) => (common === 0 ? content.readUInt32BE(12 + frame * 4) : common), content };
}

/** Its entries have 4, 8 or 16 bits. */
function readCompactTable(stz2: Buffer): FrameSizes {
  const bits = u32(stz2, 4) & 0xff;
  const count = readCount(stz2);
  if (![4, 8, 16].includes(bits)) throw new UnusableAudioError(`sizes of ${bits} bits`);
  if (stz2.byteLength < 12 + (count * bits) / 8) throw new UnusableAudioError('sizes are missing');
  const at = (frame: number) => {
    if (bits === 16) return stz2.readUInt16BE(12 + frame * 2);
    if (bits === 8) return stz2.readUInt8(12 + frame);
    const both = stz2.readUInt8(12 + (frame >> 1));
    return frame % 2 === 0 ? both >> 4 : both & 15;
  };
  return makeSizes(Array.from({ length: count }, (_, frame) => at(frame)));
}

/** Appends frames of the given sizes. */
export function appendSizes(sizes: FrameSizes, more: readonly number[]): FrameSizes {
  if (more.length === 0) return sizes;
  return makeSizes([...Array.from({ length: sizes.count }, (_, frame) => sizes.at(frame)), ...more]);
}

function makeSizes(sizes: readonly number[]): FrameSizes {
  const content = Buffer.alloc(12 + sizes.length * 4);
  content.writeUInt32BE(sizes.length, 8);
  for (const [frame, size] of sizes.entries()) content.writeUInt32BE(size, 12 + frame * 4);
  return { count: sizes.length, at: (frame) => sizes[frame] ?? 0, content };
}

function readCount(table: Buffer): number {
  const count = u32(table, 8);
  if (count > FRAMES_MAX) throw new UnusableAudioError('too many frames');
  return count;
}

/** The number at `at`. Throws `UnusableAudioError` if the content ends before it. */
export function u32(content: Buffer, at: number): number {
  if (at + 4 > content.byteLength) throw new UnusableAudioError('a box is too short');
  return content.readUInt32BE(at);
}
