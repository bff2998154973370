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

export interface SearchText {
  readonly text: string;
  /** Enter was pressed: no more typing to wait for. */
  readonly isFinal: boolean;
}

/** What stands in the navbar's search box (spec §3, session); null while nobody has touched it. */
export const $search = atom<SearchText | null>(null);

/** What the listing shows. `next` is the page after the last one shown, null at the end. */
export interface Listing {
  readonly filters: SoundFilters;
  readonly sounds: readonly CardSound[];
  readonly next: number | null;
  readonly count: number | undefined;
  readonly isCapped: boolean;
}

export type BrowserState =
  | { readonly state: 'ready' | 'searching' | 'loading-more' }
  | { readonly state: 'failed'; readonly retry: () => void };

export const READY: BrowserState = { state: 'ready' };

/**
 * The listing at /sounds: begins with what the server rendered, follows the search box, appends
 * pages, and keeps the URL true. One for each page that is shown.
 */
export function createSoundBrowser(first: Listing) {
  const $listing = atom(first);
  const $state = atom<BrowserState>(READY);
  /** The URL of the search under way; its query is cached and never asked for twice at once. */
  const $wantedUrl = atom<string | null>(null);
  const $wanted = createFetcherStore<SoundList>([$wantedUrl], {
    fetcher: (url) => callApi(listSounds, { query: { ...toSoundQuery(readFilters(String(url))) } }),
  });

  let settle: ReturnType<typeof setTimeout> | undefined;

  function search({ text, isFinal }: SearchText) {
    const shown = $listing.get().filters;
    const filters = changeFilters(shown, { search: text.trim() });
    clearTimeout(settle);
    if (filters.search === shown.search) {
      // Back to what stands there: whatever was under way is not wanted any more.
      if ($wantedUrl.get() === null) return;
      $wantedUrl.set(null);
      showUrl(shown);
      $state.set(READY);
    } else if (isFinal) want(filters);
    else settle = setTimeout(() => want(filters), SETTLE_MS);
  }

  function want(filters: SoundFilters) {
    const url = toSoundsUrl(filters);
    showUrl(filters);
    const isAgain = $wantedUrl.get() === url;
    $state.set({ state: 'searching' });
    if (isAgain) $wanted.revalidate();
    else $wantedUrl.set(url);
  }

  async function showMore() {
    const { filters, next } = $listing.get();
    const { state } = $state.get();
    if (next === null || state === 'loading-more' || state === 'searching' || !canShowMore(filters)) return;
    $state.set({ state: 'loading-more' });
    /** A search that began meanwhile has the list now. */
    const isLate = () => $state.get().state !== 'loading-more' || $listing.get().filters !== filters;
    try {
      const list = await callApi(listSounds, { query: { ...toSoundQuery(filters, next) } });
      if (isLate()) return;
      const shown = { ...filters, lastPage: next };
      const sounds = append($listing.get().sounds, list.results.map(toCardSound));
      $listing.set({ ...$listing.get(), filters: shown, sounds, next: list.next });
      showUrl(shown);
      $state.set(READY);
    } catch {
      if (!isLate()) $state.set({ state: 'failed', retry: () => void showMore() });
    }
  }

  onMount($listing, () => {
    const stopSearch = $search.subscribe((text) => {
      if (text !== null) search(text);
    });
    const stopWanted = $wanted.subscribe(({ data, error, loading }) => {
      const url = $wantedUrl.get();
      if (url === null || loading) return;
      if (error) $state.set({ state: 'failed', retry: () => want(readFilters(url)) });
      else if (data) {
        $listing.set(toListing(readFilters(url), data));
        $wantedUrl.set(null);
        $state.set(READY);
      }
    });
    return () => {
      clearTimeout(settle);
      stopSearch();
      stopWanted();
    };
  });

  return { $listing, $state, showMore };
}

/** The address follows the list without a step in the history; the router's own state is kept. */
function showUrl(filters: SoundFilters): void {
  history.replaceState(history.state, '', toSoundsUrl(filters));
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
