import { mapTokens, remembered } from '../../../platform/database/database.ts';
import type {
  Database,
  RankColumn,
  RowFilter,
  SearchExpression,
} from '../../../platform/database/database.ts';
import { toLevel } from '../popularity.ts';
import { selectCountAt } from '../queries.ts';
import { facets, toPrivate } from './tokens.ts';

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

/** About so many of the highest sounds are looked at, whichever of these promises to be enough, then all. */
const HIGHEST_FIRST = [4_000, 8_000, 16_000, 32_000, 64_000];
/** They cost a walk through as many sounds to find, and when they are old, only time is lost. */
const LEVELS_KEPT_MS = 600_000;
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

function listTier(search: RankedSearch, tier: Tier, hits: number, limit: number): Promise<number[]> {
  const { order } = search;
  if (order === 'newest') return newest(search, toQuestion(search, tier), limit);
  return hits <= SORTED_AT_ONCE
    ? highest(search, toQuestion(search, tier), {}, order, limit)
    : listManyHighest(search, tier, order, limit);
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
  let foundPerSound = Infinity;
  for (const { level, sounds } of levels) {
    // By what the last level had, this one has too few as well.
    if (foundPerSound * sounds < limit) continue;
    // Few of these sounds are left to look at, so that broad filters are read off their rows.
    const question = toQuestion({ ...search, broadFilters: [] }, tier, facets.level(column, level));
    const seqs = await highest(search, question, rowFilter, column, limit);
    if (seqs.length >= limit) return seqs;
    foundPerSound = seqs.length / sounds;
  }
  // So few among the highest: there can be few at all, and two questions would cost more than one.
  if (foundPerSound * Math.max(...HIGHEST_FIRST) < limit)
    return highest(search, toQuestion(search, tier), {}, column, limit);
  const above = await highest(search, toQuestion(search, tier, facets.level(column, 1)), {}, column, limit);
  if (above.length >= limit) return above;
  // What is left has a count of 0, so that newest first is its order.
  const zero = toQuestion(search, tier, facets.level(column, 0));
  return [...above, ...(await newest(search, zero, limit - above.length))];
}

/** A level that about so many sounds have reached. */
interface Level {
  readonly level: number;
  readonly sounds: number;
}

/** Falling from the highest; none of them is 1, which most sounds may have reached. */
async function findLevels({ db }: Database, column: RankColumn): Promise<Level[]> {
  const levels: Level[] = [];
  for (const sounds of HIGHEST_FIRST) {
    const level = toLevel((await selectCountAt(db, column, sounds)) ?? 0);
    if (level > 1 && levels.at(-1)?.level !== level) levels.push({ level, sounds });
  }
  return levels;
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
  // Both databases walk the lists in this order, so the longest ones come last.
  const all = [...more, ...(tier === undefined ? [] : [tier]), ...search.filters, ...search.broadFilters];
  return before === undefined ? { all } : { one: { all }, not: before };
}

/** A private sound answers to tokens of its own. */
function ask(search: RankedSearch, question: SearchExpression): SearchExpression {
  return search.withPrivate ? { any: [question, mapTokens(question, toPrivate)] } : question;
}
