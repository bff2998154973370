import { type FactCount, countFacts } from '../../contract/sounds/fact-counts.ts';
import { type Genre, type SoundType, listGenres, listSoundTypes } from '../../contract/sounds/genres.ts';
import { type SearchSuggestion, suggestSearches } from '../../contract/search/search-suggestions.ts';
import { createFindSounds } from './find-sounds.ts';
import { LAST_PAGE_ONLY } from '../lib/listing-fragment.ts';
import { type Listing, findLastPage, joinPages, toListing } from './listing.ts';
import {
  type SoundFilters,
  limitFilters,
  parseSoundFilters,
  toSoundQuery,
  toSoundsUrl,
} from '../lib/sound-filters.ts';

const NO_COUNTS: { results: FactCount[] } = { results: [] };

/** What the filters beside a listing show. */
export interface FilterPage {
  readonly filters: SoundFilters;
  readonly types: readonly SoundType[];
  /** Empty if the host is not extended. */
  readonly genres: readonly Genre[];
  /** How many sounds each value of a filter would leave; empty if the host is not extended. */
  readonly counts: readonly FactCount[];
}

/** What the listing at /sounds shows. */
export interface ListingPage extends FilterPage {
  readonly listing: Listing;
  /** Searches to try when this one finds nothing. */
  readonly suggestions: readonly SearchSuggestion[];
}

type Locals = Pick<App.Locals, 'api' | 'orAbsent' | 'replies' | 'shell'>;

/** The filters of an address that the host supports. */
export function readFilters({ shell }: Pick<Locals, 'shell'>, params: URLSearchParams): SoundFilters {
  return limitFilters(parseSoundFilters(params), shell.config);
}

/** Reads what these filters need. */
export async function loadFilters(
  { api, orAbsent, shell }: Locals,
  filters: SoundFilters,
): Promise<FilterPage> {
  const isExtended = shell.config.is_extended;
  const { page: _page, ordering: _ordering, ...query } = toSoundQuery(filters, 1, isExtended);
  const [types, genres, counts] = await Promise.all([
    orAbsent(api(listSoundTypes), []),
    isExtended ? orAbsent(api(listGenres), []) : [],
    isExtended ? orAbsent(api(countFacts, { query }), NO_COUNTS) : NO_COUNTS,
  ]);
  return { filters, types, genres, counts: counts.results };
}

/**
 * Reads the listing of an address. Returns the address to redirect to for a page past the end. Throws `ApiError`.
 */
export async function loadListing(locals: Locals, params: URLSearchParams): Promise<ListingPage | string> {
  const { api, orAbsent, replies, shell } = locals;
  const isExtended = shell.config.is_extended;
  const findSounds = createFindSounds(api, isExtended, replies);
  const filters = readFilters(locals, params);
  const first = params.has(LAST_PAGE_ONLY) ? filters.lastPage : filters.page;
  const pages = Array.from({ length: filters.lastPage - first + 1 }, (_, index) => first + index);
  const [filterPage, ...lists] = await Promise.all([
    loadFilters(locals, filters),
    ...pages.map((page) => findSounds(filters, page)),
  ]);
  const list = joinPages(lists);
  const lastPage = findLastPage(list, filters.page);
  if (lastPage < filters.page) return toSoundsUrl({ ...filters, page: lastPage, lastPage });
  const isEmpty = isExtended && list.results.length === 0 && filters.search !== '';
  const { results: suggestions } = isEmpty
    ? await orAbsent(api(suggestSearches, { query: { search: filters.search } }), { results: [] })
    : { results: [] };
  return { ...filterPage, listing: toListing(filters, list, pages.length), suggestions };
}
