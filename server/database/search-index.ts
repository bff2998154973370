import type { Kysely } from 'kysely';
import type { Schema } from './schema.ts';
import type { SearchExpression } from './search-expression.ts';

/** The columns a search can be ordered by, all from high to low; equal ones by seq, newest first. */
export type RankColumn = 'download_count' | 'favorite_count' | 'popularity';

/**
 * The inverted index over sounds: which seqs carry which tokens. Two implementations with the
 * same answers. Costs are bounded by the number of hits of an expression, never by the catalogue.
 */
export interface SearchIndex {
  /** Stores a sound's tokens in place of those it had. */
  put(db: Kysely<Schema>, seq: number, tokens: readonly string[]): Promise<void>;
  remove(db: Kysely<Schema>, seq: number): Promise<void>;
  /** How many sounds match, counted up to `cap`. */
  count(db: Kysely<Schema>, expression: SearchExpression, cap: number): Promise<number>;
  /** The newest matching seqs. */
  newest(db: Kysely<Schema>, expression: SearchExpression, limit: number): Promise<number[]>;
  /** The matching seqs with the highest values in a column. Reads all that match: narrow it first. */
  highest(
    db: Kysely<Schema>,
    expression: SearchExpression,
    column: RankColumn,
    limit: number,
  ): Promise<number[]>;
}

/** Sounds of 2^14 successive seqs share a token, so that the newest can be asked for alone. */
export const CHUNK_BITS = 14;

export function toChunkToken(chunk: number): string {
  return `c${chunk}`;
}
