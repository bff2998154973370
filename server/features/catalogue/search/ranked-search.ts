import { mapTokens } from '../../../platform/database/search-index/search-expression.ts';
import { cached } from '../../../platform/database/statements/cached.ts';
import type { Database } from '../../../platform/database/open.ts';
import type {
  RankColumn,
  RankOrder,
  RowFilter,
} from '../../../platform/database/search-index/search-index.ts';
import type { SearchExpression } from '../../../platform/database/search-index/search-expression.ts';
import { toLevel } from '../popularity.ts';
import { selectCountAt } from '../queries.ts';
import { exclude } from './text.ts';
import type { TextSearch } from './text.ts';
import { EVERYTHING, facets, toPrivate } from './tokens.ts';

export interface RankedSearch {
  readonly database: Database;
  /** undefined: filters only. */
  readonly text: Pick<TextSearch, 'groups' | 'byArtist'> | undefined;
  /** What every hit must have as well. */
  readonly filters: readonly SearchExpression[];
  /** Further such tokens that many sounds have. */
  readonly broadFilters: readonly string[];
  /** What no hit may match. */
  readonly unwanted: readonly SearchExpression[];
  /** The columns that are equivalent to them. */
  readonly rowFilter: RowFilter;
  readonly order: RankOrder;
  /** Includes sounds that only their owner may see; the filters must then name the owner. */
  readonly withPrivate: boolean;
}

/** Approximate numbers of highest sounds to examine. The first that promises to be enough is used, then all sounds. */
const HIGHEST_FIRST = [4_000, 8_000, 16_000, 32_000, 64_000];
/** Finding the levels costs a walk through as many sounds. Outdated levels only cost time. */
const LEVELS_CACHE_MS = 600_000;
/** With this many hits, less similar sounds are not searched: they would rank behind these, and cost the most. */
const ENOUGH = 200;
/** So many filters leave few hits, which are found at once however they match. */
const MANY_FILTERS = 4;

/** The newest hits of a search, as seqs. */
export interface Hits {
  readonly newest: readonly number[];
  readonly areAll: boolean;
  /** What ranks them, best first: the hits as written, then those by meaning, and so on. */
  readonly groups: readonly Group[];
}

interface Group {
  readonly newest: readonly number[];
  readonly areAll: boolean;
  /** Best first; the last contains the whole group. Empty for a search without a text. */
  readonly tiers: readonly SearchExpression[];
}

/** The number of sounds that have the filters of each search, counted up to `cap`; 0 for undefined. */
export async function countEachFiltered(
  database: Database,
  searches: readonly (RankedSearch | undefined)[],
  cap: number,
): Promise<number[]> {
  const questions = searches.map(
    (search) => search && withPrivateSounds(search, toQuestion(search, undefined)),
  );
  const answerable = questions.filter((question) => question !== undefined);
  const counts = await database.search.countEach(database.db, answerable, cap);
  return questions.map((question) => (question === undefined ? 0 : (counts.shift() ?? 0)));
}

/** Finds the newest `cap` hits, in whatever order the search lists them. */
export async function findHits(search: RankedSearch, cap: number): Promise<Hits> {
  const { groups: textGroups = [], byArtist } = search.text ?? {};
  // Few hits are found at once, however they match.
  const isNarrow = search.filters.length >= MANY_FILTERS && textGroups.length > 1;
  const all = !isNarrow && search.unwanted.length > 0 ? await findFew(search, textGroups, cap) : undefined;
  const groups: Group[] = [];
  const seen = new Set<number>();
  let areAll = true;
  for (const tiers of isNarrow ? [toOneGroup(textGroups)] : textGroups.length === 0 ? [[]] : textGroups) {
    if (seen.size >= Math.min(ENOUGH, all?.length ?? ENOUGH)) break;
    const tier = tiers.at(-1);
    const found =
      all && tier ? await among(search, tier, all) : await newest(search, toQuestion(search, tier), cap);
    const own = found.filter((seq) => !seen.has(seq));
    for (const seq of own) seen.add(seq);
    areAll = found.length < cap;
    groups.push({ newest: own, areAll, tiers });
  }
  return {
    newest: [...seen].sort((a, b) => b - a).slice(0, cap),
    areAll,
    groups: byArtist === undefined ? groups : await moveLast(search, groups, byArtist),
  };
}

/**
 * All hits, if there are fewer than `cap`. A search that excludes much reads every sound: once with this, instead of
 * once for each group.
 */
async function findFew(
  search: RankedSearch,
  groups: readonly (readonly SearchExpression[])[],
  cap: number,
): Promise<readonly number[] | undefined> {
  if (groups.length < 2) return undefined;
  const found = await newest(search, toQuestion(search, toOneGroup(groups).at(-1)), cap);
  return found.length < cap ? found : undefined;
}

function toOneGroup(groups: readonly (readonly SearchExpression[])[]): SearchExpression[] {
  const tiers = groups.flat();
  return [...tiers.slice(0, -1), { any: groups.flatMap((group) => group.slice(-1)) }];
}

/** Puts those hits of the first group last that match only by the artist's name, if others could come before them. */
async function moveLast(
  search: RankedSearch,
  [first, ...others]: readonly Group[],
  byArtist: SearchExpression,
): Promise<Group[]> {
  if (first === undefined) return [];
  const isAlone = others.every(({ newest: seqs }) => seqs.length === 0);
  if (isAlone || !first.areAll || first.newest.length === 0) return [first, ...others];
  const named = await among(search, byArtist, first.newest);
  const best = new Set(await among(search, { any: first.tiers.slice(0, -1) }, named));
  const last = new Set(named.filter((seq) => !best.has(seq)));
  return [
    { ...first, newest: first.newest.filter((seq) => !last.has(seq)) },
    ...others,
    { ...first, newest: first.newest.filter((seq) => last.has(seq)), tiers: first.tiers.slice(-1) },
  ];
}

/**
 * The seqs of the first `limit` hits, at most as many as requested: tier by tier if ordered by popularity, in the
 * order of the search within a tier.
 */
export async function rankHits(search: RankedSearch, hits: Hits, limit: number): Promise<readonly number[]> {
  const { order } = search;
  if (order === 'newest') return hits.newest.slice(0, limit);
  const found = new Set<number>();
  for (const group of order === 'popularity' ? hits.groups : [toOneTier(hits)]) {
    if (found.size >= limit) break;
    for (const seq of await rankGroup(search, group, order, limit)) found.add(seq);
  }
  return [...found].slice(0, limit);
}

function toOneTier({ groups, ...hits }: Hits): Group {
  const widest = groups.flatMap(({ tiers }) => tiers.slice(-1));
  return { ...hits, tiers: widest.length === 0 ? [] : [{ any: widest }] };
}

async function rankGroup(
  search: RankedSearch,
  group: Group,
  order: RankColumn,
  limit: number,
): Promise<readonly number[]> {
  if (group.newest.length === 0) return [];
  if (!group.areAll) return rankMany(search, group, order, limit);
  const { db, search: index } = search.database;
  const sorted = await index.sort(db, group.newest, order);
  const better = group.tiers.slice(0, -1).map((tier) => ({
    expression: withPrivateSounds(search, tier),
    narrow: withPrivateSounds(search, toQuestion({ ...search, broadFilters: [] }, tier)),
  }));
  return index.partition(db, sorted, better, limit);
}

/** Reads tiers until there are enough. The hits of one may be among those of the next. */
async function rankMany(
  search: RankedSearch,
  { newest: seqs, tiers }: Group,
  column: RankColumn,
  limit: number,
): Promise<number[]> {
  const span = (seqs[0] ?? 0) - (seqs.at(-1) ?? 0);
  const hitsPerSound = span > 0 ? seqs.length / span : Infinity;
  const found = new Set<number>();
  for (const tier of tiers.length > 0 ? tiers : [undefined]) {
    if (found.size >= limit) break;
    for (const seq of await listHighest(search, tier, column, limit, hitsPerSound)) found.add(seq);
  }
  return [...found].slice(0, limit);
}

/**
 * Examines the highest sounds of all first. The cut-off affects the cost, never the result. `foundPerSound` is what the
 * newest hits promise.
 */
async function listHighest(
  search: RankedSearch,
  tier: SearchExpression | undefined,
  column: RankColumn,
  limit: number,
  foundPerSound: number,
): Promise<number[]> {
  const { database, rowFilter } = search;
  const levels = await cached(
    database,
    `levels ${column}`,
    () => findLevels(database, column),
    LEVELS_CACHE_MS,
  );
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

function newest(search: RankedSearch, question: SearchExpression, limit: number): Promise<number[]> {
  return search.database.search.newest(search.database.db, withPrivateSounds(search, question), limit);
}

/** The given sounds that match, in the given order. */
async function among(
  search: RankedSearch,
  question: SearchExpression,
  seqs: readonly number[],
): Promise<number[]> {
  const { db, search: index } = search.database;
  const found = await index.among(db, withPrivateSounds(search, question), seqs);
  return seqs.filter((seq) => found.has(seq));
}

function highest(
  search: RankedSearch,
  question: SearchExpression,
  rowFilter: RowFilter,
  column: RankColumn,
  limit: number,
): Promise<number[]> {
  const { db, search: index } = search.database;
  return index.highest(db, withPrivateSounds(search, question), rowFilter, column, limit);
}

function toQuestion(
  search: RankedSearch,
  tier: SearchExpression | undefined,
  ...more: string[]
): SearchExpression {
  // Both databases walk the lists in this order, so the longest ones come last.
  const all = [...more, ...search.filters, ...(tier === undefined ? [] : [tier]), ...search.broadFilters];
  if (all.length === 0) all.push(EVERYTHING);
  return exclude({ all }, search.unwanted);
}

/** Includes private sounds, which have their own tokens, if the search does. */
function withPrivateSounds(search: RankedSearch, question: SearchExpression): SearchExpression {
  return search.withPrivate ? { any: [question, mapTokens(question, toPrivate)] } : question;
}
