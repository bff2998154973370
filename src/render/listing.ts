import { PAGE_SIZE_DEFAULT } from '../../contract/sounds/listing-limits.ts';
import type { SearchNotes } from '../../contract/search/search-notes.ts';
import type { SoundList } from '../../contract/sounds/sounds.ts';
import { type CardSound, toCardSound } from '../lib/card-sound.ts';
import { formatCount } from '../lib/format.ts';
import { PAGES_MAX, PAGES_SHOWN_MAX, type SoundFilters } from '../lib/sound-filters.ts';

/** The contents of the listing. `next` is the page after its last one, null at the end. */
export interface Listing {
  readonly filters: SoundFilters;
  readonly sounds: readonly CardSound[];
  readonly next: number | null;
  readonly count: number | undefined;
  readonly isCapped: boolean;
  /** How many sounds were searched, if not all of them (`search-pages.ts`). */
  readonly searchedCount?: number | undefined;
  /** How many sounds a page of this host has. */
  readonly pageSize: number;
  /** What the host's search did with its words, if it tells. */
  readonly notes: SearchNotes | undefined;
}

export const NO_SOUNDS: SoundList = {
  results: [],
  next: null,
  count: undefined,
  count_is_capped: undefined,
  search_notes: undefined,
};

/** A list of sounds; `searchedCount` as in `Listing`. */
export interface FoundSounds extends SoundList {
  readonly searchedCount?: number | undefined;
}

/** A listing from the pages that were read. */
export function toListing(filters: SoundFilters, list: FoundSounds, pagesRead: number): Listing {
  return {
    filters,
    sounds: list.results.map(toCardSound),
    next: list.next,
    count: list.count,
    isCapped: list.count_is_capped === true,
    searchedCount: list.searchedCount,
    notes: list.search_notes,
    pageSize: Math.max(1, Math.ceil(list.results.length / pagesRead)),
  };
}

/** The number of sounds found, such as `1,234件`; undefined if the host does not count. */
export function formatListingCount({ count, isCapped }: Listing): string | undefined {
  return count === undefined ? undefined : `${formatCount(count)}件${isCapped ? '以上' : ''}`;
}

/** Several pages as one list, as if they had been asked for together. */
export function joinPages(lists: readonly FoundSounds[]): FoundSounds {
  const last = lists.at(-1);
  const results = lists.reduce<SoundList['results']>((joined, list) => appendNew(joined, list.results), []);
  return { ...NO_SOUNDS, ...last, results };
}

/** The page to show in place of `page` when it is past the end; `page` itself if the host gives no count. */
export function findLastPage({ results, count }: Pick<SoundList, 'results' | 'count'>, page: number): number {
  if (results.length > 0 || count === undefined || page === 1) return page;
  return Math.max(1, Math.min(page - 1, Math.ceil(count / PAGE_SIZE_DEFAULT)));
}

export function canShowMore(filters: SoundFilters): boolean {
  return filters.lastPage - filters.page + 1 < PAGES_SHOWN_MAX;
}

/** A page may repeat sounds of the previous one when something was published in between. */
export function appendNew<Item extends { id: string }>(
  existing: readonly Item[],
  more: readonly Item[],
): Item[] {
  const ids = new Set(existing.map(({ id }) => id));
  return [...existing, ...more.filter(({ id }) => !ids.has(id))];
}

/** The first and last page, and those around the pages of the listing; without a count, up to the next page. */
export function listPageNumbers(listing: Listing): number[] {
  const { filters } = listing;
  const last = findLastNumber(listing);
  const near = Array.from(
    { length: filters.lastPage - filters.page + 5 },
    (_, index) => filters.page - 2 + index,
  );
  return [...new Set([1, ...near, last])].filter((page) => page >= 1 && page <= last).sort((a, b) => a - b);
}

/** A host may use another page size. If there is a next page, the number of sounds in the listing reveals it. */
function findLastNumber({ filters, next, count, pageSize }: Listing): number {
  if (next === null) return filters.lastPage;
  if (count === undefined) return next;
  return Math.min(PAGES_MAX, Math.max(next, Math.ceil(count / pageSize)));
}
