import { type SoundList, listSounds } from '../../contract/sounds.ts';
import { callApi } from '../api/browser.ts';
import { toCardSound } from '../lib/card-sound.ts';
import { type Listing, appendNew, canShowMore, toListing } from '../lib/listing.ts';
import {
  type SoundFilters,
  changeFilters,
  parseSoundFilters,
  toSoundQuery,
  toSoundsUrl,
} from '../lib/sound-filters.ts';
import { noteFavorites } from './favorites.ts';
import { type WritableAtom, atom } from 'nanostores';
import { createFetcherStore } from './queries.ts';
import { pushListingUrl, readListingUrl, replaceListingUrl } from './sound-browser-history.ts';

export interface SearchText {
  readonly text: string;
  /** Enter was pressed: no more typing to wait for. */
  readonly isFinal: boolean;
  /** An input method has yet to finish the text. */
  readonly isComposing?: boolean;
}

export type BrowserState =
  | { readonly state: 'ready' | 'searching' | 'loading-more' }
  | { readonly state: 'failed'; readonly retry: () => void };

export interface ListingStores {
  readonly $listing: WritableAtom<Listing>;
  readonly $state: WritableAtom<BrowserState>;
}

/** Typing settles this long before the server is asked. */
const SETTLE_MS = 150;
/** After a pause this long, further typing is a new search with its own history entry. */
const PAUSE_MS = 1000;

/** The part of the listing that asks the server; it loads with the first search or もっと見る. */
export function createSoundSearch({ $listing, $state }: ListingStores) {
  /** The URL of the search under way. */
  const $wantedUrl = atom<string | null>(null);
  /** Its queries are cached, and never asked for twice at once. */
  const $wanted = createFetcherStore<SoundList>([$wantedUrl], {
    fetcher: (url) => callApi(listSounds, { query: { ...toSoundQuery(readFilters(String(url))) } }),
  });
  let settle: ReturnType<typeof setTimeout> | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  /** The search whose history entry typing still changes, and the URL of the entry before it. */
  let entry: { text: string; isComposing: boolean; readonly urlBefore: string | null } | null = null;

  function search({ text, isFinal, isComposing = false }: SearchText) {
    const shown = $listing.get().filters;
    const filters = changeFilters(shown, { search: text.trim() });
    clearTimeout(settle);
    if (filters.search === shown.search) {
      if ($wantedUrl.get() !== null) cancel(shown);
    } else if (isFinal) want(filters);
    else settle = setTimeout(want, SETTLE_MS, filters, isComposing);
    clearTimeout(pause);
    if (isFinal) closeEntry();
    else if (!isComposing) pause = setTimeout(closeEntry, PAUSE_MS);
  }

  /** The text is again what the list shows: the search under way is not wanted any more. */
  function cancel(shown: SoundFilters) {
    $wantedUrl.set(null);
    replaceListingUrl(shown);
    $state.set({ state: 'ready' });
  }

  function want(filters: SoundFilters, isComposing = false) {
    writeUrl(filters, isComposing);
    const url = toSoundsUrl(filters);
    const isAgain = $wantedUrl.get() === url;
    $state.set({ state: 'searching' });
    if (isAgain) $wanted.revalidate();
    else $wantedUrl.set(url);
  }

  /** Typing on in one word, and what an input method makes of it, changes the entry; another search adds one. */
  function writeUrl(filters: SoundFilters, isComposing: boolean) {
    const text = filters.search;
    const here = readListingUrl();
    const isSame =
      entry?.isComposing ||
      entry?.urlBefore === here ||
      text.startsWith(entry?.text ?? '') ||
      entry?.text.startsWith(text);
    if (entry !== null && isSame) {
      Object.assign(entry, { text, isComposing });
      replaceListingUrl(filters);
    } else if (pushListingUrl(filters)) entry = { text, isComposing, urlBefore: here };
  }

  function closeEntry() {
    // An entry that repeats the one before it stays open, so that the next search takes its place.
    if (entry?.urlBefore !== readListingUrl()) entry = null;
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
      noteFavorites(list.results);
      const shown = { ...filters, lastPage: next };
      const sounds = appendNew($listing.get().sounds, list.results.map(toCardSound));
      $listing.set({ ...$listing.get(), filters: shown, sounds, next: list.next });
      replaceListingUrl(shown);
      $state.set({ state: 'ready' });
    } catch {
      if (!isLate()) $state.set({ state: 'failed', retry: () => void showMore() });
    }
  }

  const stopWanted = $wanted.subscribe(({ data, error, loading }) => {
    const url = $wantedUrl.get();
    if (url === null || loading) return;
    if (error) $state.set({ state: 'failed', retry: () => want(readFilters(url)) });
    else if (data) {
      noteFavorites(data.results);
      $listing.set(toListing(readFilters(url), data));
      $wantedUrl.set(null);
      $state.set({ state: 'ready' });
    }
  });

  /** The router goes to another history entry: nothing under way may write into that one. */
  function drop() {
    clearTimeout(settle);
    clearTimeout(pause);
    entry = null;
    $wantedUrl.set(null);
    if ($state.get().state !== 'failed') $state.set({ state: 'ready' });
  }

  addEventListener('popstate', drop);

  function stop() {
    removeEventListener('popstate', drop);
    drop();
    stopWanted();
  }

  return { search, showMore, stop };
}

function readFilters(url: string): SoundFilters {
  return parseSoundFilters(new URL(url, location.origin).searchParams);
}
