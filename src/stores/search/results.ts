import type { WritableAtom } from 'nanostores';
import { fetchFragment } from './fetch-fragment.ts';
import { toErrorMessages } from '../../lib/error-messages.ts';
import { toFragmentUrl } from '../../lib/fragments.ts';
import { LAST_PAGE_ONLY } from '../../lib/listing-fragment.ts';
import { type SoundFilters, changeFilters, toSoundsUrl } from '../../lib/sound-filters.ts';
import { pushListingUrl, readListingUrl, replaceListingUrl } from './history.ts';

export interface SearchText {
  readonly text: string;
  /** Enter was pressed: do not wait for more typing. */
  readonly isFinal: boolean;
}

/** Why a call takes long: no answer yet, or an attempt failed and is repeated. */
type Delay = 'slow' | 'retrying';
type Task = 'searching' | 'loading-more';

export type ListingState =
  | { readonly state: 'ready' }
  | {
      readonly state: Task;
      /** Absent while the call takes the usual time; `retry` restarts it immediately. */
      readonly delay?: { readonly reason: Delay; readonly retry: () => void };
    }
  | {
      readonly state: 'failed';
      readonly during: Task;
      readonly messages: readonly string[];
      readonly retry: () => void;
    };

/** The listing on the page (`src/scripts/catalogue/listing.ts`). */
export interface ListingView {
  /** The filters of the sounds shown. */
  readFilters(): SoundFilters;
  /** The page that もっと見る appends; null if there is none. */
  readNext(): number | null;
  /** Shows another listing from its HTML. */
  show(html: string): void;
  /** Appends the sounds of a listing, without those already shown, and shows the rest of it. */
  append(html: string): void;
}

/** Debounce of typing before the server is asked. */
const DEBOUNCE_MS = 150;
/** After a pause of this length, further typing is a new search with its own history entry. */
const PAUSE_MS = 1000;
/** A call that has no answer after this time is announced as slow. */
const SLOW_MS = 2000;

/** Searches as the text changes, appends pages, and keeps the address in sync. One instance per page shown. */
export function createSoundSearch(view: ListingView, $state: WritableAtom<ListingState>) {
  let call = new AbortController();
  /** The URL of the current search, also when it has failed. */
  let wantedUrl: string | null = null;
  let debounce: ReturnType<typeof setTimeout> | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  /** The search whose history entry typing still updates, and the URL of the previous entry. */
  let entry: { text: string; readonly urlBefore: string | null } | null = null;

  function search({ text, isFinal }: SearchText) {
    const shown = view.readFilters();
    const filters = changeFilters(shown, { search: text.trim() });
    clearTimeout(debounce);
    if (filters.search === shown.search) {
      if (wantedUrl !== null) cancel(shown);
    } else if (isFinal) want(filters);
    else debounce = setTimeout(want, DEBOUNCE_MS, filters);
    clearTimeout(pause);
    if (isFinal) closeEntry();
    else pause = setTimeout(closeEntry, PAUSE_MS);
  }

  /** The text matches the list again: the current search is no longer needed. */
  function cancel(shown: SoundFilters) {
    stop();
    replaceListingUrl(shown);
    $state.set({ state: 'ready' });
  }

  function want(filters: SoundFilters) {
    writeUrl(filters);
    const url = toSoundsUrl(filters);
    if (wantedUrl === url && $state.get().state === 'searching') return;
    wantedUrl = url;
    const show = (html: string) => {
      view.show(html);
      wantedUrl = null;
    };
    void load('searching', url, show, () => want(filters));
  }

  /** Continued typing in one word updates the entry; another search adds one. */
  function writeUrl(filters: SoundFilters) {
    const text = filters.search;
    const here = readListingUrl();
    const isSame =
      entry?.urlBefore === here || text.startsWith(entry?.text ?? '') || entry?.text.startsWith(text);
    if (entry !== null && isSame) {
      entry.text = text;
      replaceListingUrl(filters);
    } else if (pushListingUrl(filters)) entry = { text, urlBefore: here };
  }

  function closeEntry() {
    // An entry equal to the previous one stays open, so that the next search replaces it.
    if (entry?.urlBefore !== readListingUrl()) entry = null;
  }

  function showMore() {
    const filters = view.readFilters();
    const next = view.readNext();
    const { state } = $state.get();
    if (next === null || state === 'loading-more' || state === 'searching') return;
    const shown = { ...filters, lastPage: next };
    const append = (html: string) => {
      view.append(html);
      replaceListingUrl(shown);
    };
    void load('loading-more', `${toSoundsUrl(shown)}&${LAST_PAGE_ONLY}=1`, append, showMore);
  }

  /** Requests a listing in place of what is under way. `$state` tells delays and failures; `repeat` follows the latter. */
  async function load(task: Task, url: string, show: (html: string) => void, repeat: () => void) {
    call.abort();
    call = new AbortController();
    const { signal } = call;
    $state.set({ state: task });
    const report = (reason: Delay) => {
      clearTimeout(slow);
      const retry = () => void load(task, url, show, repeat);
      if (!signal.aborted) $state.set({ state: task, delay: { reason, retry } });
    };
    const slow = setTimeout(report, SLOW_MS, 'slow');
    try {
      const html = await fetchFragment(toFragmentUrl(new URL(url, location.origin)), {
        signal,
        onRetry: () => report('retrying'),
      });
      if (signal.aborted) return;
      show(html);
      $state.set({ state: 'ready' });
    } catch (error) {
      const messages = toErrorMessages(error);
      if (!signal.aborted) $state.set({ state: 'failed', during: task, messages, retry: repeat });
    } finally {
      clearTimeout(slow);
    }
  }

  function stop() {
    call.abort();
    wantedUrl = null;
  }

  /** The router goes to another page or history entry: a pending search must not write to it. */
  function drop() {
    clearTimeout(debounce);
    clearTimeout(pause);
    entry = null;
    stop();
    if ($state.get().state !== 'failed') $state.set({ state: 'ready' });
  }

  addEventListener('popstate', drop);

  return { search, showMore, drop };
}
