import { type FactCount, countFacts } from '../../contract/fact-counts.ts';
import { type Genre, type SoundType, listGenres, listSoundTypes } from '../../contract/genres.ts';
import { type SearchSuggestion, suggestSearches } from '../../contract/search-suggestions.ts';
import { createFindSounds } from './find-sounds.ts';
import { LAST_PAGE_ONLY } from '../lib/listing-fragment.ts';
import { type Listing, findLastPage, joinPages, toListing } from './listing.ts';
import { limitFilters, parseSoundFilters, toSoundQuery, toSoundsUrl } from '../lib/sound-filters.ts';

const NO_COUNTS: { results: FactCount[] } = { results: [] };

/** What the listing at /sounds shows. */
export interface ListingPage {
  readonly listing: Listing;
  readonly types: readonly SoundType[];
  /** Empty if the host is not extended. */
  readonly genres: readonly Genre[];
  /** How many sounds each value of a filter would leave; empty if the host is not extended. */
  readonly counts: readonly FactCount[];
  /** Searches to try when this one finds nothing. */
  readonly suggestions: readonly SearchSuggestion[];
}

/**
 * Reads the listing of an address. Returns the address to redirect to for a page past the end. Throws `ApiError`.
 */
export async function loadListing(
  { api, orAbsent, replies, shell }: Pick<App.Locals, 'api' | 'orAbsent' | 'replies' | 'shell'>,
  params: URLSearchParams,
): Promise<ListingPage | string> {
  const isExtended = shell.config.is_extended;
  const findSounds = createFindSounds(api, isExtended, replies);
  const filters = limitFilters(parseSoundFilters(params), isExtended);
  const first = params.has(LAST_PAGE_ONLY) ? filters.lastPage : filters.page;
  const pages = Array.from({ length: filters.lastPage - first + 1 }, (_, index) => first + index);
  const { page: _page, ordering: _ordering, ...counted } = toSoundQuery(filters, 1, isExtended);
  const [types, genres, counts, ...lists] = await Promise.all([
    orAbsent(api(listSoundTypes), []),
    isExtended ? orAbsent(api(listGenres), []) : [],
    isExtended ? orAbsent(api(countFacts, { query: counted }), NO_COUNTS) : NO_COUNTS,
    ...pages.map((page) => findSounds(filters, page)),
  ]);
  const list = joinPages(lists);
  const lastPage = findLastPage(list, filters.page);
  if (lastPage < filters.page) return toSoundsUrl({ ...filters, page: lastPage, lastPage });
  const isEmpty = isExtended && list.results.length === 0 && filters.search !== '';
  const { results: suggestions } = isEmpty
    ? await orAbsent(api(suggestSearches, { query: { search: filters.search } }), { results: [] })
    : { results: [] };
  return {
    listing: toListing(filters, list, pages.length),
    types,
    genres,
    counts: counts.results,
    suggestions,
  };
}
