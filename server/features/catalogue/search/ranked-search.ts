import { mapTokens, cached } from '../../../platform/database/database.ts';
import type {
  Database,
  RankColumn,
  RowFilter,
  SearchExpression,
} from '../../../platform/database/database.ts';
import { toLevel } from '../popularity.ts';
import { selectCountAt } from '../queries.ts';
import { EVERYTHING, facets, toPrivate } from './tokens.ts';

/** The order of a set of hits: newest first, or highest first in a column. */
export type RankOrder = 'newest' | RankColumn;

export interface RankedSearch {
  readonly database: Database;
  /** Nested expressions, best hits first: each contains all hits of those before it. Empty: filters only. */
  readonly tiers: readonly SearchExpression[];
  /** What every hit must have as well. */
  readonly filters: readonly SearchExpression[];
  /** Further such tokens that many sounds have. */
  readonly broadFilters: readonly string[];
  /** Tokens that no hit may have. */
  readonly unwanted: readonly string[];
  /** The columns that are equivalent to them. */
  readonly rowFilter: RowFilter;
  readonly order: RankOrder;
  /** Includes sounds that only their owner may see; the filters must then name the owner. */
  readonly withPrivate: boolean;
}

/** Approximate numbers of highest sounds to examine. The first that promises to be enough is used, then all sounds. */
const HIGHEST_FIRST = [4_000, 8_000, 16_000, 32_000, 64_000];
/** Finding the levels costs a walk through as many sounds. Outdated levels only cost time. */
const LEVELS_KEPT_MS = 600_000;
/** With more hits, sorting all of them costs more than examining the highest first. */
const SORTED_AT_ONCE = 1_000;
/** With as many lookups, of each token for each hit, reading the tier's lists costs less. */
const LOOKUPS_MAX = 300;

/** The newest hits of a search, as seqs. */
export interface Hits {
  readonly newest: readonly number[];
  readonly areAll: boolean;
}

/** The number of hits, counted up to `cap`. */
export function countHits(search: RankedSearch, cap: number): Promise<number> {
  return search.database.search.count(search.database.db, ask(search, toLastTier(search)), cap);
}

/** The same for each of several searches. */
export async function countEachHits(
  database: Database,
  searches: readonly (RankedSearch | undefined)[],
  cap: number,
): Promise<number[]> {
  const questions = searches.map((search) => search && ask(search, toLastTier(search)));
  const asked = questions.filter((question) => question !== undefined);
  const counts = await database.search.countEach(database.db, asked, cap);
  return questions.map((question) => (question === undefined ? 0 : (counts.shift() ?? 0)));
}

/** Finds the newest `cap` hits, in whatever order the search lists them. */
export async function findHits(search: RankedSearch, cap: number): Promise<Hits> {
  const found = await newest(search, toLastTier(search), cap);
  return { newest: found, areAll: found.length < cap };
}

/** The seqs of the first `limit` hits: tier by tier, in the order of the search within a tier. */
export function rankHits(search: RankedSearch, hits: Hits, limit: number): Promise<readonly number[]> {
  const { order, tiers } = search;
  const isListed = hits.areAll || hits.newest.length >= limit;
  if (order === 'newest' && tiers.length <= 1 && isListed)
    return Promise.resolve(hits.newest.slice(0, limit));
  return hits.areAll && hits.newest.length <= SORTED_AT_ONCE
    ? rankFew(search, hits.newest, limit)
    : rankMany(search, limit);
}

/** Sorts all hits. Tiers are read only until there are enough. */
async function rankFew(search: RankedSearch, hits: readonly number[], limit: number): Promise<number[]> {
  const { database, order } = search;
  const ranked: number[] = [];
  let others = order === 'newest' ? hits : await database.search.sort(database.db, hits, order);
  for (const tier of search.tiers.slice(0, -1)) {
    if (ranked.length >= limit || others.length === 0) break;
    const inTier =
      others.length * countTokens(tier) < LOOKUPS_MAX
        ? await database.search.among(database.db, ask(search, tier), others)
        : new Set(await newest(search, toQuestion(search, { tier }), hits.length));
    ranked.push(...others.filter((seq) => inTier.has(seq)));
    others = others.filter((seq) => !inTier.has(seq));
  }
  return [...ranked, ...others].slice(0, limit);
}

async function rankMany(search: RankedSearch, limit: number): Promise<number[]> {
  const found: number[] = [];
  const tiers = search.tiers.length > 0 ? search.tiers : [undefined];
  for (const [index, tier] of tiers.entries()) {
    if (found.length >= limit) break;
    found.push(...(await listTier(search, { tier, before: tiers[index - 1] }, limit - found.length)));
  }
  return found;
}

/** A tier without the hits of earlier tiers. */
interface Tier {
  readonly tier: SearchExpression | undefined;
  readonly before?: SearchExpression | undefined;
}

function listTier(search: RankedSearch, tier: Tier, limit: number): Promise<number[]> {
  const { order } = search;
  if (order === 'newest') return newest(search, toQuestion(search, tier), limit);
  return listManyHighest(search, tier, order, limit);
}

/** Examines the highest sounds of all first. The cut-off affects the cost, never the result. */
async function listManyHighest(
  search: RankedSearch,
  tier: Tier,
  column: RankColumn,
  limit: number,
): Promise<number[]> {
  const { database, rowFilter } = search;
  const levels = await cached(
    database,
    `levels ${column}`,
    () => findLevels(database, column),
    LEVELS_KEPT_MS,
  );
  let foundPerSound = Infinity;
  for (const { level, sounds } of levels) {
    // Judging by the previous level, this one has too few as well.
    if (foundPerSound * sounds < limit) continue;
    // Few sounds remain, so broad filters are read from their rows.
    const question = toQuestion({ ...search, broadFilters: [] }, tier, facets.level(column, level));
    const seqs = await highest(search, question, rowFilter, column, limit);
    if (seqs.length >= limit) return seqs;
    foundPerSound = seqs.length / sounds;
  }
  // With so few among the highest, the total may be small, and two queries would cost more than one.
  if (foundPerSound * Math.max(...HIGHEST_FIRST) < limit)
    return highest(search, toQuestion(search, tier), {}, column, limit);
  const above = await highest(search, toQuestion(search, tier, facets.level(column, 1)), {}, column, limit);
  if (above.length >= limit) return above;
  // The remaining sounds have a count of 0, so their order is newest first.
  const zero = toQuestion(search, tier, facets.level(column, 0));
  return [...above, ...(await newest(search, zero, limit - above.length))];
}

/** A level that approximately this many sounds have reached. */
interface Level {
  readonly level: number;
  readonly sounds: number;
}

/** In descending order. Excludes level 1, which most sounds may have reached. */
async function findLevels({ db }: Database, column: RankColumn): Promise<Level[]> {
  const levels: Level[] = [];
  for (const sounds of HIGHEST_FIRST) {
    const level = toLevel((await selectCountAt(db, column, sounds)) ?? 0);
    if (level > 1 && levels.at(-1)?.level !== level) levels.push({ level, sounds });
  }
  return levels;
}

function toLastTier(search: RankedSearch): SearchExpression {
  return toQuestion(search, { tier: search.tiers.at(-1) });
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
  if (all.length === 0) all.push(EVERYTHING);
  const not = [...(before === undefined ? [] : [before]), ...search.unwanted];
  return not.length === 0 ? { all } : { one: { all }, not: { any: not } };
}

function countTokens(expression: SearchExpression): number {
  let tokens = 0;
  mapTokens(expression, (token) => {
    tokens++;
    return token;
  });
  return tokens;
}

/** Private sounds have tokens of their own. */
function ask(search: RankedSearch, question: SearchExpression): SearchExpression {
  return search.withPrivate ? { any: [question, mapTokens(question, toPrivate)] } : question;
}
