import type { SearchExpression } from './search-expression.ts';

/**
 * A sound carries the number of the chunk of 2^11, 2^13, … successive seqs that it stands in, so
 * that the newest sounds can be asked for alone, in a window of two chunks of any of these sizes.
 */
const CHUNK_BITS = [11, 13, 15, 17];

/** The newest sounds down to some seq. */
export interface SeqWindow {
  /** About how many sounds are in it; `Infinity`: all. */
  readonly sounds: number;
  /** What the sounds in it carry; undefined: nothing in particular. */
  readonly chunks: SearchExpression | undefined;
}

/** A letter that no other token begins with, followed by the chunk's size and number. */
export function toChunkTokens(seq: number): string[] {
  return CHUNK_BITS.map((bits) => toChunkToken(bits, seq >> bits));
}

/** From small to all. Sounds up to a chunk newer than the newest known one are in every window. */
export function toSeqWindows(newestSeq: number): SeqWindow[] {
  const windows = CHUNK_BITS.filter((bits) => newestSeq >> bits > 1).map((bits) => {
    const chunk = newestSeq >> bits;
    return {
      sounds: newestSeq + 1 - ((chunk - 1) << bits),
      chunks: { any: [chunk + 1, chunk, chunk - 1].map((number) => toChunkToken(bits, number)) },
    };
  });
  return [...windows, { sounds: Infinity, chunks: undefined }];
}

function toChunkToken(bits: number, chunk: number): string {
  return `c${bits}x${chunk}`;
}
