import type { SearchExpression } from './search-expression.ts';

/**
 * Each sound has the numbers of the chunks of 2^11, 2^13, … consecutive seqs that contain it, so that a query can be
 * limited to the newest sounds, in windows of a few chunks of one of these sizes.
 */
const CHUNK_SIZES = [
  { letter: 'a', bits: 11 },
  { letter: 'b', bits: 13 },
  { letter: 'c', bits: 15 },
  { letter: 'd', bits: 17 },
];

/** Each window is about twice as large as the one before. */
const WINDOWS_CHUNKS = [2, 4];

/** The newest sounds down to a certain seq. */
export interface SeqWindow {
  /** Approximate number of sounds in it; `Infinity`: all. */
  readonly sounds: number;
  /** The tokens of the sounds in it; undefined: no restriction. */
  readonly chunks: SearchExpression | undefined;
}

export function toChunkTokens(seq: number): string[] {
  return CHUNK_SIZES.map(({ letter, bits }) => toChunkToken(letter, seq >> bits));
}

/** From small to all. Sounds up to a chunk newer than the newest cached one are in every window. */
export function toSeqWindows(newestSeq: number): SeqWindow[] {
  const windows = CHUNK_SIZES.flatMap(({ letter, bits }) => {
    const newest = newestSeq >> bits;
    return WINDOWS_CHUNKS.filter((chunks) => chunks <= newest).map((chunks) => ({
      sounds: newestSeq + 1 - ((newest + 1 - chunks) << bits),
      chunks: {
        any: Array.from({ length: chunks + 1 }, (_, back) => toChunkToken(letter, newest + 1 - back)),
      },
    }));
  });
  return [...windows, { sounds: Infinity, chunks: undefined }];
}

/** No other token begins with a `c`, see `facets` and `FIELDS`. */
function toChunkToken(size: string, chunk: number): string {
  return `c${size}${chunk}`;
}
