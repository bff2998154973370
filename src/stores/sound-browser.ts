import { atom, onMount } from 'nanostores';
import { type SoundList, listSounds } from '../../contract/sounds.ts';
import { callApi } from '../api/browser.ts';
import { type CardSound, toCardSound } from '../lib/card-sound.ts';
import {
  PAGES_SHOWN_MAX,
  type SoundFilters,
  changeFilters,
  parseSoundFilters,
  toSoundQuery,
  toSoundsUrl,
} from '../lib/sound-filters.ts';
import { createFetcherStore } from './queries.ts';

/** Typing settles this long before the server is asked. */
const SETTLE_MS = 150;

/** The search text of the navbar (spec §3, session). Empty string: no search. */
export const $search = atom<string | null>(null);

/** What the listing shows. `next` is the page after the last one shown, null at the end. */
export interface Listing {
  readonly filters: SoundFilters;
  readonly sounds: readonly CardSound[];
  readonly next: number | null;
  readonly count: number | undefined;
  readonly isCapped: boolean;
}

export type BrowserState = 'ready' | 'searching' | 'loading-more' | 'failed';

/**
 * The listing at /sounds: begins with what the server rendered, follows the search box, appends
 * pages, and keeps the URL true. One for each page that is shown.
 */
export function createSoundBrowser(first: Listing) {
  const $listing = atom(first);
  const $state = atom<BrowserState>('ready');
  /** The URL of the search that is wanted; its query is cached and never asked for twice at once. */
  const $wantedUrl = atom<string | null>(null);
  const $wanted = createFetcherStore<SoundList>([$wantedUrl], {
    fetcher: (url) => callApi(listSounds, { query: { ...toSoundQuery(readFilters(String(url))) } }),
  });

  let settle: ReturnType<typeof setTimeout> | undefined;

  function search(text: string, isFinal = false) {
    const filters = changeFilters($listing.get().filters, { search: text.trim() });
    clearTimeout(settle);
    if (filters.search === $listing.get().filters.search) {
      $wantedUrl.set(null);
      $state.set('ready');
      return;
    }
    settle = setTimeout(() => want(filters), isFinal ? 0 : SETTLE_MS);
  }

  function want(filters: SoundFilters) {
    const url = toSoundsUrl(filters);
    history.replaceState(history.state, '', url);
    $state.set('searching');
    $wantedUrl.set(url);
  }

  async function showMore() {
    const { filters, next } = $listing.get();
    if (next === null || $state.get() === 'loading-more' || !canShowMore(filters)) return;
    $state.set('loading-more');
    try {
      const list = await callApi(listSounds, { query: { ...toSoundQuery(filters, next) } });
      const listing = $listing.get();
      if (listing.filters !== filters) return;
      const shown = { ...filters, lastPage: next };
      $listing.set({
        ...listing,
        filters: shown,
        sounds: append(listing.sounds, list.results.map(toCardSound)),
        next: list.next,
      });
      history.replaceState(history.state, '', toSoundsUrl(shown));
      $state.set('ready');
    } catch {
      $state.set('failed');
    }
  }

  function retry() {
    const url = $wantedUrl.get();
    if (url === null) return void showMore();
    $state.set('searching');
    $wanted.revalidate();
  }

  onMount($listing, () => {
    const stopSearch = $search.subscribe((text) => {
      if (text !== null) search(text);
    });
    const stopWanted = $wanted.subscribe(({ data, error, loading }) => {
      const url = $wantedUrl.get();
      if (url === null || loading) return;
      if (error) $state.set('failed');
      else if (data) {
        $listing.set(toListing(readFilters(url), data));
        $state.set('ready');
      }
    });
    return () => {
      clearTimeout(settle);
      stopSearch();
      stopWanted();
    };
  });

  return { $listing, $state, showMore, retry };
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
  const results = lists.reduce<SoundList['results']>((shown, list) => append(shown, list.results), []);
  return { results, next: last?.next ?? null, count: last?.count, count_is_capped: last?.count_is_capped };
}

export function canShowMore(filters: SoundFilters): boolean {
  return filters.lastPage - filters.page + 1 < PAGES_SHOWN_MAX;
}

/** A page may repeat sounds of the one before when something was published in between. */
function append<Item extends { id: string }>(shown: readonly Item[], more: readonly Item[]): Item[] {
  const ids = new Set(shown.map(({ id }) => id));
  return [...shown, ...more.filter(({ id }) => !ids.has(id))];
}

function readFilters(url: string): SoundFilters {
  return parseSoundFilters(new URL(url, 'http://listing').searchParams);
}
