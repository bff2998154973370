import { sql } from 'kysely';
import type { Kysely, RawBuilder } from 'kysely';
import type { Flag, Schema } from './schema.ts';
import type { SearchExpression } from './search-expression.ts';

/** The columns a search can be ordered by, all from high to low; equal ones by seq, newest first. */
export type RankColumn = 'download_count' | 'favorite_count' | 'popularity';

/** Columns of a hit's row that most rows agree in: cheaper to look at than to intersect long lists. */
export interface RowFilter {
  readonly type_id?: number | undefined;
  readonly is_ai_generated?: Flag | undefined;
}

/**
 * The inverted index over sounds: which seqs carry which tokens. Two implementations with the
 * same answers. Costs are bounded by the number of hits of an expression, never by the catalogue.
 */
export interface SearchIndex {
  /** Stores a sound's tokens in place of those it had. Its row in `sounds`, if there is one, comes first. */
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
    rows: RowFilter,
    column: RankColumn,
    limit: number,
  ): Promise<number[]>;
  /** Which of some thousand seqs at most match, however many others do. */
  among(
    db: Kysely<Schema>,
    expression: SearchExpression,
    seqs: readonly number[],
  ): Promise<ReadonlySet<number>>;
}

/** A row filter as SQL over the table that holds its columns. */
export function toRowCondition(
  table: 'sounds' | 'sound_search',
  { type_id, is_ai_generated }: RowFilter,
): RawBuilder<unknown> {
  const column = (name: keyof RowFilter) => sql.ref(`${table}.${name}`);
  return sql`${type_id === undefined ? sql`` : sql`and ${column('type_id')} = ${type_id}`}
    ${is_ai_generated === undefined ? sql`` : sql`and ${column('is_ai_generated')} = ${is_ai_generated}`}`;
}
