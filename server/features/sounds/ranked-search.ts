import type { Database } from '../../database/open.ts';
import { remembered } from '../../database/remembered.ts';
import type { SearchExpression } from '../../database/search-expression.ts';
import { mapTokens } from '../../database/search-expression.ts';
import type { RankColumn, RowFilter } from '../../database/search-index.ts';
import { toLevel } from './popularity.ts';
import { selectCountAt } from './queries.ts';
import { facets, toPrivate } from './search-tokens.ts';

/** How a set of hits is put in order: newest first, or highest first in a column. */
export type RankOrder = 'newest' | RankColumn;

export interface RankedSearch {
  readonly database: Database;
  /** Nested questions, the best hits first: each holds all hits of those before it. None: filters alone. */
  readonly tiers: readonly SearchExpression[];
  /** Tokens that every hit has besides. */
  readonly filters: readonly string[];
  /** More such tokens, which many sounds have, */
  readonly broadFilters: readonly string[];
  /** and the columns that say the same. */
  readonly rowFilter: RowFilter;
  readonly order: RankOrder;
  /** Also the sounds that only their owner may see; the filters must then name the owner. */
  readonly withPrivate: boolean;
}

/** About this many of the highest sounds are looked at first, then more, then all. */
const HIGHEST_FIRST = [4_000, 16_000, 64_000];
const LEVELS_KEPT_MS = 30_000;
/** With more hits than this, sorting them all would cost more than looking at the highest first. */
const SORTED_AT_ONCE = 1_000;

/** How many hits there are, counted up to `cap`. */
export function countHits(search: RankedSearch, cap: number): Promise<number> {
  return count(search, toQuestion(search, { tier: search.tiers.at(-1) }), cap);
}

/** The seqs of the first `limit` hits: tier by tier, inside a tier in the given order. */
export async function listHits(search: RankedSearch, hits: number, limit: number): Promise<number[]> {
  const found: number[] = [];
  const tiers = search.tiers.length > 0 ? search.tiers : [undefined];
  for (const [index, tier] of tiers.entries()) {
    if (found.length >= Math.min(limit, hits)) break;
    found.push(...(await listTier(search, { tier, before: tiers[index - 1] }, hits, limit - found.length)));
  }
  return found;
}

/** A tier without what an earlier one has. */
interface Tier {
  readonly tier: SearchExpression | undefined;
  readonly before?: SearchExpression | undefined;
}

async function listTier(search: RankedSearch, tier: Tier, hits: number, limit: number): Promise<number[]> {
  const { order } = search;
  const question = toQuestion(search, tier);
  if (order === 'newest') return newest(search, question, limit);
  const isOnlyTier = search.tiers.length <= 1;
  const isFew =
    hits <= SORTED_AT_ONCE ||
    (!isOnlyTier && (await count(search, question, SORTED_AT_ONCE + 1)) <= SORTED_AT_ONCE);
  return isFew ? highest(search, question, {}, order, limit) : listManyHighest(search, tier, order, limit);
}

/** Looks at the highest sounds of all first. The answer never depends on where they are cut, only its cost does. */
async function listManyHighest(
  search: RankedSearch,
  tier: Tier,
  column: RankColumn,
  limit: number,
): Promise<number[]> {
  const { database, rowFilter } = search;
  const levels = await remembered(
    database,
    `levels ${column}`,
    () => findLevels(database, column),
    LEVELS_KEPT_MS,
  );
  let seqs: number[] = [];
  for (const level of levels) {
    // Few of these sounds are left to look at, so that broad filters are read off their rows.
    const question = toQuestion({ ...search, broadFilters: [] }, tier, facets.level(column, level));
    seqs = await highest(search, question, rowFilter, column, limit);
    if (seqs.length >= limit) return seqs;
  }
  // What is left has a count of 0, so that newest first is its order.
  const zero = toQuestion(search, tier, facets.level(column, 0));
  return [...seqs, ...(await newest(search, zero, limit - seqs.length))];
}

/** The levels that about so many sounds have reached, falling to 1. */
async function findLevels({ db }: Database, column: RankColumn): Promise<number[]> {
  const levels: number[] = [];
  for (const position of HIGHEST_FIRST)
    levels.push(toLevel((await selectCountAt(db, column, position)) ?? 0));
  return [...new Set([...levels.filter((level) => level > 1), 1])];
}

function count(search: RankedSearch, question: SearchExpression, cap: number): Promise<number> {
  return search.database.search.count(search.database.db, ask(search, question), cap);
}

function newest(search: RankedSearch, question: SearchExpression, limit: number): Promise<number[]> {
  return search.database.search.newest(search.database.db, ask(search, question), limit);
}

function highest(
  search: RankedSearch,
  question: SearchExpression,
  rowFilter: RowFilter,
  column: RankColumn,
  limit: number,
): Promise<number[]> {
  const { db, search: index } = search.database;
  return index.highest(db, ask(search, question), rowFilter, column, limit);
}

function toQuestion(search: RankedSearch, { tier, before }: Tier, ...more: string[]): SearchExpression {
  const all = [...more, ...search.filters, ...search.broadFilters, ...(tier === undefined ? [] : [tier])];
  return before === undefined ? { all } : { one: { all }, not: before };
}

/** A private sound answers to tokens of its own. */
function ask(search: RankedSearch, question: SearchExpression): SearchExpression {
  return search.withPrivate ? { any: [question, mapTokens(question, toPrivate)] } : question;
}
