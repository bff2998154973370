import { sql } from 'kysely';
import type { QueryExecutorProvider, RawBuilder } from 'kysely';
import type { Flag } from '../tables/parts.ts';
import type { SearchExpression } from './search-expression.ts';

/** The columns that a search can be ordered by, all descending; ties by seq, newest first. */
export type RankColumn = 'download_count' | 'favorite_count' | 'popularity';
/** The order of a set of hits: newest first, or highest first in a column. */
export type RankOrder = 'newest' | RankColumn;

/** Columns in which most rows agree: checking a hit's row is cheaper than intersecting long lists. */
export interface RowFilter {
  readonly type_id?: number | undefined;
  readonly is_ai_generated?: Flag | undefined;
}

/**
 * The inverted index over sounds: which seqs have which tokens. Two implementations with the same results. Costs are
 * bounded by the number of hits of an expression, not by the size of the catalogue.
 */
export interface SearchIndex {
  /** Replaces a sound's tokens. Its row in `sounds`, if any, must be written first. */
  put(db: QueryExecutorProvider, seq: number, tokens: readonly string[]): Promise<void>;
  remove(db: QueryExecutorProvider, seq: number): Promise<void>;
  /** The lowest seqs of the index from `first` to `last`, ascending. */
  list(db: QueryExecutorProvider, first: number, last: number, limit: number): Promise<number[]>;
  /** The seqs from `first` to `last` whose columns differ from those in `sounds`, of which the index may have a copy. */
  listOutdated(db: QueryExecutorProvider, first: number, last: number): Promise<number[]>;
  /** Copies these columns again. Lock the row in `sounds` first. */
  refresh(db: QueryExecutorProvider, seq: number): Promise<void>;
  /** How many sounds match, counted up to `cap`. */
  count(db: QueryExecutorProvider, expression: SearchExpression, cap: number): Promise<number>;
  /** `count` for each of several expressions. */
  countEach(
    db: QueryExecutorProvider,
    expressions: readonly SearchExpression[],
    cap: number,
  ): Promise<number[]>;
  /** The newest matching seqs. */
  newest(db: QueryExecutorProvider, expression: SearchExpression, limit: number): Promise<number[]>;
  /** The matching seqs with the highest values in a column. Reads all matches: narrow the expression first. */
  highest(
    db: QueryExecutorProvider,
    expression: SearchExpression,
    rows: RowFilter,
    column: RankColumn,
    limit: number,
  ): Promise<number[]>;
  /** Sorts seqs (at most some thousand) by a column. */
  sort(db: QueryExecutorProvider, seqs: readonly number[], column: RankColumn): Promise<number[]>;
  /** Which of the given seqs match (at most some thousand), independent of the total number of matches. */
  among(
    db: QueryExecutorProvider,
    expression: SearchExpression,
    seqs: readonly number[],
  ): Promise<ReadonlySet<number>>;
  /**
   * The first `limit` of some seqs (at most some thousand) when those of the first part come first, then those of the
   * second, and so on, and those of none last; otherwise in their order.
   */
  partition(
    db: QueryExecutorProvider,
    seqs: readonly number[],
    parts: readonly Part[],
    limit: number,
  ): Promise<number[]>;
}

export interface Part {
  /** Matches the members of the part among the seqs. */
  readonly expression: SearchExpression;
  /** `expression`, restricted to tokens that all of the seqs have, if few other sounds have them. */
  readonly narrow?: SearchExpression;
}

/** Finds the members of one part after another, until there are enough. */
export async function partitionBy(
  seqs: readonly number[],
  parts: readonly Part[],
  limit: number,
  findAmong: (part: Part, seqs: readonly number[]) => Promise<ReadonlySet<number>>,
): Promise<number[]> {
  const ordered: number[] = [];
  let others = seqs;
  for (const part of parts) {
    if (ordered.length >= limit || others.length === 0) break;
    const members = await findAmong(part, others);
    ordered.push(...others.filter((seq) => members.has(seq)));
    others = others.filter((seq) => !members.has(seq));
  }
  return [...ordered, ...others].slice(0, limit);
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
