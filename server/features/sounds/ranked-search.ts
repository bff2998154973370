import type { Database } from '../../database/open.ts';
import { remembered } from '../../database/remembered.ts';
import type { SearchExpression } from '../../database/search-expression.ts';
import { mapTokens } from '../../database/search-expression.ts';
import type { RankColumn } from '../../database/search-index.ts';
import { toBucket } from './popularity.ts';
import { selectCountAt } from './queries.ts';
import { facets, toPrivate } from './search-tokens.ts';

/** How a set of hits is put in order: newest first, or highest first in a column. */
export type RankOrder = 'newest' | RankColumn;

export interface RankedSearch {
  readonly database: Database;
  /** Nested questions, the best hits first: each holds all hits of those before it. None: filters alone. */
  readonly tiers: readonly SearchExpression[];
  /** What every hit must have besides. */
  readonly filters: readonly string[];
  readonly order: RankOrder;
  /** Also the sounds that only their owner may see; the filters must then name the owner. */
  readonly withPrivate: boolean;
}

/** This many of the highest sounds are looked at first, then more, then all. */
const LEVELS = [4_000, 64_000];
const LEVELS_KEPT_MS = 30_000;
/** With more hits than this, sorting them all would cost more than looking at the highest first. */
const SORTED_AT_ONCE = 1_000;

/** How many hits there are, counted up to `cap`. */
export function countHits(search: RankedSearch, cap: number): Promise<number> {
  const everything = search.tiers.at(-1);
  const { database } = search;
  return database.search.count(database.db, ask(search, narrow(search, everything)), cap);
}

/** The seqs of the first `limit` hits: tier by tier, inside a tier in the given order. */
export async function listHits(search: RankedSearch, hits: number, limit: number): Promise<number[]> {
  const found: number[] = [];
  const tiers = search.tiers.length > 0 ? search.tiers : [undefined];
  for (const [index, tier] of tiers.entries()) {
    if (found.length >= Math.min(limit, hits)) break;
    const question = narrow(search, tier);
    const before = tiers[index - 1];
    const remaining = before === undefined ? question : { one: question, not: before };
    found.push(...(await listTier(search, remaining, hits <= SORTED_AT_ONCE, limit - found.length)));
  }
  return found;
}

/** Answers never depend on the levels, only the time they take does. */
async function listTier(
  search: RankedSearch,
  question: SearchExpression,
  isFew: boolean,
  limit: number,
): Promise<number[]> {
  const { database, order } = search;
  const { db, search: index } = database;
  if (order === 'newest') return index.newest(db, ask(search, question), limit);
  if (isFew) return index.highest(db, ask(search, question), order, limit);

  const levels = await remembered(
    database,
    `levels ${order}`,
    () => findLevels(database, order),
    LEVELS_KEPT_MS,
  );
  let seqs: number[] = [];
  for (const level of levels.lowest) {
    const buckets = Array.from({ length: levels.highest - level + 1 }, (_, up) =>
      facets.bucket(order, level + up),
    );
    seqs = await index.highest(db, ask(search, { all: [{ any: buckets }, question] }), order, limit);
    if (seqs.length >= limit) return seqs;
  }
  // What is left has a count of 0, so that newest first is its order.
  const zero = { all: [facets.bucket(order, 0), question] };
  return [...seqs, ...(await index.newest(db, ask(search, zero), limit - seqs.length))];
}

/** The highest bucket in use, and the lowest of each level, falling to 1. */
async function findLevels({ db }: Database, column: RankColumn) {
  const highest = toBucket((await selectCountAt(db, column, 0)) ?? 0);
  const lowest: number[] = [];
  for (const level of LEVELS) lowest.push(toBucket((await selectCountAt(db, column, level)) ?? 0));
  return {
    highest: Math.max(highest, 1) + SPARE_BUCKETS,
    lowest: [...new Set(lowest.filter((bucket) => bucket > 1)), 1],
  };
}

/** A count may have grown since the levels were read: by up to 16 times within their short life. */
const SPARE_BUCKETS = 8;

function narrow(search: RankedSearch, tier: SearchExpression | undefined): SearchExpression {
  return { all: [...search.filters, ...(tier === undefined ? [] : [tier])] };
}

function ask(search: RankedSearch, question: SearchExpression): SearchExpression {
  return search.withPrivate ? { any: [question, mapTokens(question, toPrivate)] } : question;
}
