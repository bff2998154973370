import { RESULTS_REACHABLE } from '../../../../contract/sounds/listing-limits.ts';
import type { SearchNotes } from '../../../../contract/search/search-notes.ts';
import type { SoundQuery } from '../../../../contract/sounds/sounds.ts';
import { toPageSize } from '../../../../contract/sounds/sounds.ts';
import { toUsernameKey } from '../../../../contract/accounts/usernames.ts';
import type { Database } from '../../../platform/database/open.ts';
import { findGivenUses } from '../../terms/terms.ts';
import type { ListingSource } from './source.ts';
import { pickedSource } from './picked.ts';
import { toFactQuestion } from '../facts.ts';
import type { FactQuestion } from '../facts.ts';
import type { PlainFilters } from '../queries.ts';
import { countPlain, findUserIdByKey, selectPlainSeqs } from '../queries.ts';
import type { Hits, RankedSearch } from '../search/ranked-search.ts';
import { findHits, rankHits } from '../search/ranked-search.ts';
import { toOrder, toSearchText } from '../search/text.ts';
import { facets } from '../search/tokens.ts';
import type { TextSearch } from '../search/text.ts';
import { read, understand } from '../search/understanding.ts';
import type { Understanding } from '../search/understanding.ts';
import { toFlag } from '../../../platform/database/tables/parts.ts';

/** One page of a listing, as seqs. */
export interface SeqPage {
  readonly seqs: readonly number[];
  readonly count: number;
  readonly isCountCapped: boolean;
  /** The next page's number; null on the last page. */
  readonly next: number | null;
  /** What a search did with its words, if there is anything to say. */
  readonly notes?: SearchNotes | undefined;
}

export const EMPTY_PAGE: SeqPage = { seqs: [], count: 0, isCountCapped: false, next: null };

/**
 * The requested page of the sounds that `callerId` may see (null: a visitor). Reads a bounded number of rows for any
 * page; results beyond `RESULTS_REACHABLE` are empty.
 */
export async function listSeqs(
  database: Database,
  query: SoundQuery,
  callerId: string | null,
): Promise<SeqPage> {
  if (query.favorite === true && callerId === null) return EMPTY_PAGE;
  const filters = await toFilters(database, query, callerId);
  if (filters === undefined) return EMPTY_PAGE;

  const pageSize = toPageSize(query);
  const offset = ((query.page ?? 1) - 1) * pageSize;
  const source = await toSource(database, query, filters, callerId);
  if (source === undefined) return EMPTY_PAGE;

  const counted = await source.count(RESULTS_REACHABLE + 1);
  const count = Math.min(counted, RESULTS_REACHABLE);
  const limit = Math.min(pageSize, count - offset);
  const seqs = limit > 0 ? await source.list(limit, offset) : [];
  const next = offset + pageSize < count ? (query.page ?? 1) + 1 : null;
  return { seqs, count, isCountCapped: counted > RESULTS_REACHABLE, next, notes: source.notes };
}

async function toSource(
  database: Database,
  query: SoundQuery,
  filters: Filters,
  callerId: string | null,
): Promise<ListingSource | undefined> {
  const favoritesOf = query.favorite === true && callerId !== null ? callerId : undefined;
  const { ids } = query;
  if (ids?.length === 0) return undefined;
  if (ids !== undefined || favoritesOf !== undefined)
    return pickedSource(database, query, { ...filters, ids, favoritesOf });
  return isPlain(query, filters)
    ? plainSource(database, query, filters)
    : searchSource(database, query, filters);
}

/** The filters of a query, with the values of the tables. */
export interface Filters extends PlainFilters {
  readonly facts: FactQuestion;
  /** A sound must have all of them. */
  readonly subGenreIds: readonly number[];
}

/** Reads them from a query; undefined when nothing can match. */
export async function toFilters(
  database: Database,
  query: SoundQuery,
  callerId: string | null,
): Promise<Filters | undefined> {
  const typeId = query.type === undefined ? undefined : toRowId(query.type);
  const artistId =
    query.user === undefined
      ? undefined
      : ((await findUserIdByKey(database.db, toUsernameKey(query.user))) ?? null);
  const subGenres = (query.sub_genres ?? []).map(toRowId);
  if (typeId === null || artistId === null || subGenres.includes(null)) return undefined;
  const withPrivate = query.include_private === true && artistId !== undefined && artistId === callerId;
  const subGenreIds = [...new Set(subGenres.flatMap((id) => id ?? []))];
  const facts = toFactQuestion(query, await findGivenUses(database));
  if (facts === undefined) return undefined;
  return { typeId, artistId, isAiGenerated: query.is_ai_generated, withPrivate, subGenreIds, facts };
}

/** Whether the tables' own indexes can answer the query in order. */
function isPlain(query: SoundQuery, { facts, subGenreIds }: Filters): boolean {
  const isSorted = query.user === undefined || toOrder(query) === 'newest' || query.include_private === true;
  const hasTokens = subGenreIds.length + facts.wanted.length + facts.unwanted.length > 0;
  return toSearchText(query) === undefined && isSorted && !hasTokens;
}

function plainSource({ db }: Database, query: SoundQuery, filters: PlainFilters): ListingSource {
  return {
    count: (cap) => countPlain(db, filters, cap),
    list: (limit, offset) => selectPlainSeqs(db, filters, toOrder(query), limit, offset),
  };
}

async function searchSource(database: Database, query: SoundQuery, filters: Filters): Promise<ListingSource> {
  const { search: text, notes } = await readText(database, query, filters);
  if (text?.groups.length === 0) return { notes, count: async () => 0, list: async () => [] };
  const search = toRankedSearch(database, query, filters, text);
  let hits: Hits = { newest: [], areAll: true, groups: [] };
  return {
    notes,
    count: async (cap) => (hits = await findHits(search, cap)).newest.length,
    list: async (limit, offset) => (await rankHits(search, hits, offset + limit)).slice(offset),
  };
}

/** The search of a query; undefined when nothing can match. */
export async function toSearch(
  database: Database,
  query: SoundQuery,
  filters: Filters,
): Promise<RankedSearch | undefined> {
  const { search: text } = await readText(database, query, filters);
  return text?.groups.length === 0 ? undefined : toRankedSearch(database, query, filters, text);
}

function toRankedSearch(
  database: Database,
  query: SoundQuery,
  filters: Filters,
  text: TextSearch | undefined,
): RankedSearch {
  const { typeId, isAiGenerated } = filters;
  return {
    database,
    text,
    filters: [
      ...(filters.artistId === undefined ? [] : [facets.artist(filters.artistId)]),
      ...filters.subGenreIds.map(facets.subGenre),
      ...filters.facts.wanted,
    ],
    unwanted: [...(text?.unwanted ?? []), ...filters.facts.unwanted],
    broadFilters: [
      ...(typeId === undefined ? [] : [facets.type(typeId)]),
      ...(isAiGenerated === undefined ? [] : [facets.aiGenerated(isAiGenerated)]),
    ],
    rowFilter: {
      type_id: typeId,
      is_ai_generated: isAiGenerated === undefined ? undefined : toFlag(isAiGenerated),
    },
    order: toOrder(query),
    withPrivate: filters.withPrivate,
  };
}

/** Private sounds are searched with the text as written: corrections and notes could reveal them to others. */
async function readText(
  database: Database,
  query: SoundQuery,
  { withPrivate }: Filters,
): Promise<Partial<Understanding>> {
  const text = toSearchText(query);
  if (text === undefined) return {};
  return withPrivate ? { search: await read(database, text) } : understand(database, text);
}

function toRowId(id: string): number | null {
  return /^\d{1,9}$/.test(id) ? Number(id) : null;
}
