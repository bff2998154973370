import type { SoundList } from '../../contract/sounds.ts';
import { type CardSound, toCardSound } from './card-sound.ts';
import { PAGES_SHOWN_MAX, type SoundFilters } from './sound-filters.ts';

/** What the listing shows. `next` is the page after the last one shown, null at the end. */
export interface Listing {
  readonly filters: SoundFilters;
  readonly sounds: readonly CardSound[];
  readonly next: number | null;
  readonly count: number | undefined;
  readonly isCapped: boolean;
}

/** A listing from the first page of a reply. */
export function toListing(filters: SoundFilters, list: SoundList): Listing {
  return {
    filters,
    sounds: list.results.map(toCardSound),
    next: list.next,
    count: list.count,
    isCapped: list.count_is_capped === true,
  };
}

/** Several pages as one list, as if they had been asked for together. */
export function joinPages(lists: readonly SoundList[]): SoundList {
  const last = lists.at(-1);
  const results = lists.reduce<SoundList['results']>((shown, list) => appendNew(shown, list.results), []);
  return { results, next: last?.next ?? null, count: last?.count, count_is_capped: last?.count_is_capped };
}

export function canShowMore(filters: SoundFilters): boolean {
  return filters.lastPage - filters.page + 1 < PAGES_SHOWN_MAX;
}

/** A page may repeat sounds of the one before when something was published in between. */
export function appendNew<Item extends { id: string }>(
  shown: readonly Item[],
  more: readonly Item[],
): Item[] {
  const ids = new Set(shown.map(({ id }) => id));
  return [...shown, ...more.filter(({ id }) => !ids.has(id))];
}
