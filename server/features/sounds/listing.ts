import { RESULTS_REACHABLE } from '../../../contract/paging.ts';
import { isBlankSearch, toSearchTerms, toTitleKey } from '../../../contract/search-tokens.ts';
import type { SearchTerm } from '../../../contract/search-tokens.ts';
import type { SoundQuery } from '../../../contract/sounds.ts';
import { toPageSize } from '../../../contract/sounds.ts';
import type { Database } from '../../database/open.ts';
import type { SearchExpression } from '../../database/search-expression.ts';
import { toUsernameKey } from '../artists/users.ts';
import type { PlainFilters } from './queries.ts';
import { countPlain, findUserIdByKey, selectPlainSeqs, toFlag } from './queries.ts';
import type { RankOrder, RankedSearch } from './ranked-search.ts';
import { countHits, listHits } from './ranked-search.ts';
import { facets, toTermsExpression } from './search-tokens.ts';

/** One page of a listing, as seqs. */
export interface SeqPage {
  readonly seqs: readonly number[];
  readonly count: number;
  readonly isCountCapped: boolean;
  /** The next page's number; null on the last one. */
  readonly next: number | null;
}

export const EMPTY_PAGE: SeqPage = { seqs: [], count: 0, isCountCapped: false, next: null };

/**
 * The page a query asks for, of the sounds that `callerId` may see (null: a visitor). Reads a
 * bounded number of rows whatever the page; what lies beyond `RESULTS_REACHABLE` is empty.
 */
export async function listSeqs(
  database: Database,
  query: SoundQuery,
  callerId: string | null,
): Promise<SeqPage> {
  // Favourites come with accounts; until then nobody has any.
  if (query.favorite === true) return EMPTY_PAGE;
  const filters = await toFilters(database, query, callerId);
  if (filters === undefined) return EMPTY_PAGE;

  const pageSize = toPageSize(query);
  const offset = ((query.page ?? 1) - 1) * pageSize;
  const source = isPlain(query)
    ? plainSource(database, query, filters)
    : searchSource(database, query, filters, offset);
  if (source === undefined) return EMPTY_PAGE;

  const counted = await source.count(RESULTS_REACHABLE + 1);
  const count = Math.min(counted, RESULTS_REACHABLE);
  const limit = Math.min(pageSize, count - offset);
  const seqs = limit > 0 ? await source.list(counted, limit, offset) : [];
  const next = offset + pageSize < count ? (query.page ?? 1) + 1 : null;
  return { seqs, count, isCountCapped: counted > RESULTS_REACHABLE, next };
}

interface Source {
  /** How many there are, up to `cap`. */
  count(cap: number): Promise<number>;
  list(counted: number, limit: number, offset: number): Promise<number[]>;
}

/** Filters as the tables know them; undefined when nothing can match. */
async function toFilters(
  database: Database,
  query: SoundQuery,
  callerId: string | null,
): Promise<PlainFilters | undefined> {
  const typeId = query.type === undefined ? undefined : toRowId(query.type);
  const artistId =
    query.user === undefined
      ? undefined
      : ((await findUserIdByKey(database.db, toUsernameKey(query.user))) ?? null);
  if (typeId === null || artistId === null) return undefined;
  const withPrivate = query.include_private === true && artistId !== undefined && artistId === callerId;
  return { typeId, artistId, isAiGenerated: query.is_ai_generated, withPrivate };
}

/** Whether the tables' own indexes answer the query in order. */
function isPlain(query: SoundQuery): boolean {
  const isSearch = query.search !== undefined && !isBlankSearch(query.search);
  const isSorted = query.user === undefined || toOrder(query) === 'newest' || query.include_private === true;
  return !isSearch && isSorted && (query.sub_genres ?? []).length === 0;
}

function plainSource({ db }: Database, query: SoundQuery, filters: PlainFilters): Source {
  return {
    count: (cap) => countPlain(db, filters, cap),
    list: (_, limit, offset) => selectPlainSeqs(db, filters, toOrder(query), limit, offset),
  };
}

function searchSource(
  database: Database,
  query: SoundQuery,
  filters: PlainFilters,
  offset: number,
): Source | undefined {
  const subGenreIds = (query.sub_genres ?? []).map(toRowId);
  const text = query.search === undefined || isBlankSearch(query.search) ? undefined : query.search;
  const terms = text === undefined ? [] : toSearchTerms(text);
  if (subGenreIds.includes(null) || (text !== undefined && terms.length === 0)) return undefined;

  const { typeId, isAiGenerated } = filters;
  const order = toOrder(query);
  const isRanked = text !== undefined && order === 'popularity';
  const tiers = text === undefined ? [] : toTiers(text, terms);
  const search = {
    database,
    tiers: isRanked ? tiers : tiers.slice(-1),
    filters: [
      ...(filters.artistId === undefined ? [] : [facets.artist(filters.artistId)]),
      ...new Set(subGenreIds.flatMap((id) => (id === null ? [] : [facets.subGenre(id)]))),
    ],
    broadFilters: [
      ...(typeId === undefined ? [] : [facets.type(typeId)]),
      ...(isAiGenerated === undefined ? [] : [facets.aiGenerated(isAiGenerated)]),
    ],
    rowFilter: {
      type_id: typeId,
      is_ai_generated: isAiGenerated === undefined ? undefined : toFlag(isAiGenerated),
    },
    order,
    withPrivate: filters.withPrivate,
  };
  if (order === 'newest' && offset >= RESULTS_REACHABLE / 2) return deepSource(search);
  return {
    count: (cap) => countHits(search, cap),
    list: async (counted, limit, offset) => (await listHits(search, counted, offset + limit)).slice(offset),
  };
}

/** Deep in a list by age, counting walks through the same hits as listing does: one walk gives both. */
function deepSource(search: RankedSearch): Source {
  let seqs: readonly number[] = [];
  return {
    count: async (cap) => (seqs = await listHits(search, cap, cap)).length,
    list: async (_, limit, offset) => seqs.slice(offset, offset + limit),
  };
}

/** Where a query is found, best first: it is the title, stands in the title, in a name, anywhere. */
function toTiers(text: string, terms: readonly SearchTerm[]): SearchExpression[] {
  const titleKey = toTitleKey(text);
  const exact = titleKey === '' ? [] : [facets.titleIs(titleKey)];
  const fields = (['title', 'names', 'anywhere'] as const).flatMap(
    (field) => toTermsExpression(terms, field) ?? [],
  );
  return [...exact, ...fields.map((expression) => ({ any: [...exact, expression] }))];
}

function toOrder(query: SoundQuery): RankOrder {
  const isSearch = query.search !== undefined && !isBlankSearch(query.search);
  switch (query.ordering) {
    case '-downloads':
      return 'download_count';
    case '-favorites':
      return 'favorite_count';
    case '-created':
      return 'newest';
    default:
      return isSearch ? 'popularity' : 'newest';
  }
}

function toRowId(id: string): number | null {
  return /^\d{1,9}$/.test(id) ? Number(id) : null;
}
