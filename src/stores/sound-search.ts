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

export interface SearchText {
  readonly text: string;
  /** Enter was pressed: no more typing to wait for. */
  readonly isFinal: boolean;
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

/** The part of the listing that asks the server; it loads with the first search or もっと見る. */
export function createSoundSearch({ $listing, $state }: ListingStores) {
  /** The URL of the search under way. */
  const $wantedUrl = atom<string | null>(null);
  /** Its queries are cached, and never asked for twice at once. */
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
      $state.set({ state: 'ready' });
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
      noteFavorites(list.results);
      const shown = { ...filters, lastPage: next };
      const sounds = appendNew($listing.get().sounds, list.results.map(toCardSound));
      $listing.set({ ...$listing.get(), filters: shown, sounds, next: list.next });
      showUrl(shown);
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

  function stop() {
    clearTimeout(settle);
    stopWanted();
  }

  return { search, showMore, stop };
}

/** The address follows the list without a step in the history; the router's own state is kept. */
function showUrl(filters: SoundFilters): void {
  if (location.pathname !== '/sounds') return;
  history.replaceState(history.state, '', toSoundsUrl(filters));
}

function readFilters(url: string): SoundFilters {
  return parseSoundFilters(new URL(url, location.origin).searchParams);
}
