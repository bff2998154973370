import { LRUCache } from 'lru-cache';
import { FACT_COUNT_MAX } from '../../../../contract/sounds/fact-counts.ts';
import type { FactCount, FactCountQuery } from '../../../../contract/sounds/fact-counts.ts';
import { FACT_FILTERS, FACT_NAMES } from '../../../../contract/sounds/sound-facts.ts';
import { cached } from '../../../platform/database/statements/cached.ts';
import type { Database } from '../../../platform/database/open.ts';
import { findGivenUses, toUses } from '../../terms/terms.ts';
import { toFactValues } from '../facts.ts';
import { listGenres } from '../genres/service.ts';
import { selectFactColumns, selectSubGenreIds } from '../queries.ts';
import type { RankedSearch } from '../search/ranked-search.ts';
import { countEachFiltered, findHits } from '../search/ranked-search.ts';
import { toSearchText } from '../search/text.ts';
import { toFilters, toSearch } from './listing.ts';

/** The values of one filter that a query can have in addition. */
interface Group {
  readonly filter: string;
  readonly values: readonly string[];
  /** The query to which one of the values is added. */
  readonly base: FactCountQuery;
  add(value: string): FactCountQuery;
}

/** After this time the index gets no further queries. Pages leave out the numbers that are then missing. */
const COUNTING_MS_MAX = 300;

/** How long numbers of broad queries, which cost the most and change the least, are cached. */
const COUNTS_CACHE_MS = 60_000;
/** Callers can request far more combinations of filters. */
const COUNTS_CACHE_MAX = 500;

/**
 * How many public sounds a listing would have with one more value of each filter. The hits of a narrow query are
 * counted by their rows, and so are the newest hits of a search. Otherwise queries the index for each value. Leaves out
 * what needs a further question of the index when the time is over; `now` is a clock in milliseconds.
 */
export async function countFacts(
  database: Database,
  query: FactCountQuery,
  now: () => number = () => performance.now(),
): Promise<FactCount[]> {
  const groups = await listGroups(database, query);
  const counts: FactCount[] = [];
  const hitCounts = createHitCounter(database);
  const isSearch = toSearchText(query) !== undefined;
  const deadline = now() + COUNTING_MS_MAX;
  for (const { filter, values, base, add } of groups) {
    const isLate = counts.length > 0 && now() >= deadline;
    if (isLate && !hitCounts.has(base)) continue;
    const inHits = await hitCounts.count(base);
    if (inHits.isCapped && !isSearch) {
      if (isLate) continue;
      const found = await cacheCounts(
        database,
        `${filter} ${values.join()} ${JSON.stringify(base)}`,
        async () => {
          const searches = values.map((value) => toSearchOf(database, add(value)));
          return countEachFiltered(database, await Promise.all(searches), FACT_COUNT_MAX);
        },
      );
      for (const [index, count] of found.entries())
        counts.push({ filter, value: values[index] ?? '', count, is_capped: count === FACT_COUNT_MAX });
    } else {
      for (const value of values) {
        const count = inHits.counts.get(`${filter}=${value}`) ?? 0;
        counts.push({ filter, value, count, is_capped: inHits.isCapped });
      }
    }
  }
  return counts;
}

/** Has its own cache: a caller with many different queries would evict what every page needs. */
async function cacheCounts(database: Database, key: string, count: () => Promise<number[]>) {
  const open = async () => new LRUCache<string, Promise<number[]>>({ max: COUNTS_CACHE_MAX });
  const cache = await cached(database, 'counts of filters', open, COUNTS_CACHE_MS);
  const found = cache.get(key) ?? count();
  cache.set(key, found);
  found.catch(() => cache.delete(key));
  return found;
}

/** Short groups first, so that few are affected if the time runs out. */
async function listGroups(database: Database, query: FactCountQuery): Promise<Group[]> {
  const ofFacts = FACT_NAMES.map((filter): Group => {
    const { values, several } = FACT_FILTERS[filter];
    const base = several === 'any' ? { ...query, [filter]: undefined } : query;
    const add = (value: string) => ({ ...base, [filter]: [...(base[filter] ?? []), value] });
    return { filter, values, base, add };
  });
  const ofGenres = (await listGenres(database)).map(({ sub_genres }) => ({
    filter: 'sub_genres',
    values: sub_genres.map(({ id }) => id),
    base: query,
    add: (value: string) => ({ ...query, sub_genres: [...(query.sub_genres ?? []), value] }),
  }));
  const { is_ai_generated: _, ...base } = query;
  const add = (value: string) => ({ ...base, is_ai_generated: value === 'true' });
  const ofAi = { filter: 'is_ai_generated', values: ['true', 'false'], base, add };
  return [...ofFacts, ...ofGenres, ofAi].toSorted((a, b) => a.values.length - b.values.length);
}

async function toSearchOf(database: Database, query: FactCountQuery): Promise<RankedSearch | undefined> {
  const filters = await toFilters(database, query, null);
  return filters && (await toSearch(database, query, filters));
}

interface HitCounts {
  /** By filter and value. Empty for a query without a search that has more hits than are counted. */
  readonly counts: ReadonlyMap<string, number>;
  readonly isCapped: boolean;
}

/** Counts the hits of a query by what they are. Most groups have the same query, which runs once. */
function createHitCounter(database: Database) {
  const countsByQuery = new Map<string, Promise<HitCounts>>();
  const toKey = (query: FactCountQuery) => JSON.stringify(query);
  return {
    has: (query: FactCountQuery) => countsByQuery.has(toKey(query)),
    count(query: FactCountQuery): Promise<HitCounts> {
      const counted = countsByQuery.get(toKey(query)) ?? countInHits(database, query);
      countsByQuery.set(toKey(query), counted);
      return counted;
    },
  };
}

async function countInHits(database: Database, query: FactCountQuery): Promise<HitCounts> {
  const search = await toSearchOf(database, query);
  const counts = new Map<string, number>();
  if (search === undefined) return { counts, isCapped: false };
  const { newest: seqs, areAll } = await findHits(search, FACT_COUNT_MAX);
  if (!areAll && toSearchText(query) === undefined) return { counts, isCapped: true };
  const subGenreIds = await selectSubGenreIds(database.db, seqs);
  const givenUses = await findGivenUses(database);
  for (const row of await selectFactColumns(database.db, seqs)) {
    const facts = { ...toFactValues(row), use: toUses(row.licence_uses, givenUses).allowed };
    const values = FACT_NAMES.flatMap((name) => facts[name].map((value) => `${name}=${value}`));
    const subGenres = (subGenreIds.get(row.seq) ?? []).map((id) => `sub_genres=${id}`);
    for (const value of [...values, ...subGenres, `is_ai_generated=${row.is_ai_generated === 1}`])
      counts.set(value, (counts.get(value) ?? 0) + 1);
  }
  return { counts, isCapped: !areAll };
}
