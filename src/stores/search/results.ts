import { type WritableAtom, atom } from 'nanostores';
import { fetchFragment } from '../../api/fragments.ts';
import { toErrorMessages } from '../../lib/error-messages.ts';
import { toFragmentUrl } from '../../lib/fragments.ts';
import { LAST_PAGE_ONLY } from '../../lib/listing-fragment.ts';
import { type SoundFilters, changeFilters, parseSoundFilters, toSoundsUrl } from '../../lib/sound-filters.ts';
import { publicQuery } from '../shared/queries.ts';
import { pushListingUrl, readListingUrl, replaceListingUrl } from './history.ts';

export interface SearchText {
  readonly text: string;
  /** Enter was pressed: do not wait for more typing. */
  readonly isFinal: boolean;
  /** An input method is composing the text. */
  readonly isComposing?: boolean;
}

/** Why a call takes long: no answer yet, or an attempt failed and is repeated. */
export type Delay = 'slow' | 'retrying';

export type BrowserState =
  | { readonly state: 'ready' }
  | {
      readonly state: 'searching' | 'loading-more';
      /** Absent while the call takes the usual time; `retry` restarts it immediately. */
      readonly delay?: { readonly reason: Delay; readonly retry: () => void };
    }
  | {
      readonly state: 'failed';
      readonly during: 'searching' | 'loading-more';
      readonly messages: readonly string[];
      readonly retry: () => void;
    };

/** The listing on the page (`src/scripts/listing.ts`). */
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
const SETTLE_MS = 150;
/** After a pause of this length, further typing is a new search with its own history entry. */
const PAUSE_MS = 1000;
/** A call that has no answer after this time is announced as slow. */
const SLOW_MS = 2000;

/** Searches as the text changes, appends pages, and keeps the address in sync. One instance per page shown. */
export function createSoundSearch(view: ListingView, $state: WritableAtom<BrowserState>) {
  /** The URL of the current search. */
  const $wantedUrl = atom<string | null>(null);
  /** Part of the cache key: failures are cached as well, and must not answer the next search. */
  const $failures = atom(0);
  let hasFailed = false;
  /** Its queries are cached, and equal ones share a request. */
  const $wanted = publicQuery<string>([$wantedUrl, ' ', $failures], {
    fetcher: (url) =>
      ask(toFragmentUrl(new URL(String(url), location.origin)), () => $wantedUrl.get() === url),
  });
  let settle: ReturnType<typeof setTimeout> | undefined;
  let pause: ReturnType<typeof setTimeout> | undefined;
  /** The search whose history entry typing still updates, and the URL of the previous entry. */
  let entry: { text: string; isComposing: boolean; readonly urlBefore: string | null } | null = null;

  function search({ text, isFinal, isComposing = false }: SearchText) {
    const shown = view.readFilters();
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

  /** The text matches the list again: the current search is no longer needed. */
  function cancel(shown: SoundFilters) {
    $wantedUrl.set(null);
    replaceListingUrl(shown);
    $state.set({ state: 'ready' });
  }

  function want(filters: SoundFilters, isComposing = false) {
    writeUrl(filters, isComposing);
    const url = toSoundsUrl(filters);
    if ($wantedUrl.get() === url && !hasFailed) return;
    if (hasFailed) $failures.set($failures.get() + 1);
    hasFailed = false;
    $state.set({ state: 'searching' });
    $wantedUrl.set(url);
  }

  /** Continued typing in one word and composed text update the entry; another search adds one. */
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
    // An entry equal to the previous one stays open, so that the next search replaces it.
    if (entry?.urlBefore !== readListingUrl()) entry = null;
  }

  /** Requests a listing, and sets `$state` when that takes long. */
  async function ask(url: string, isWanted: () => boolean): Promise<string> {
    for (;;) {
      const attempt = new AbortController();
      const retried = new Promise<null>((resolve) =>
        attempt.signal.addEventListener('abort', () => resolve(null)),
      );
      const retry = () => {
        setDelay(undefined);
        attempt.abort();
      };
      let reason: Delay | undefined;
      const report = (why: Delay) => {
        reason = reason === 'retrying' ? reason : why;
        if (isWanted()) setDelay({ reason, retry });
      };
      const slow = setTimeout(report, SLOW_MS, 'slow');
      const call = fetchFragment(url, { signal: attempt.signal, onRetry: () => report('retrying') });
      const html = await Promise.race([call, retried]).finally(() => clearTimeout(slow));
      if (html !== null) return html;
    }
  }

  function setDelay(delay: { reason: Delay; retry: () => void } | undefined) {
    const { state } = $state.get();
    if (state === 'searching' || state === 'loading-more') $state.set({ state, ...(delay && { delay }) });
  }

  async function showMore() {
    const filters = view.readFilters();
    const next = view.readNext();
    const { state } = $state.get();
    if (next === null || state === 'loading-more' || state === 'searching') return;
    $state.set({ state: 'loading-more' });
    const shown = { ...filters, lastPage: next };
    const url = new URL(toSoundsUrl(shown), location.origin);
    url.searchParams.set(LAST_PAGE_ONLY, '1');
    /** A newer search controls the list. */
    const isLate = () =>
      $state.get().state !== 'loading-more' || toSoundsUrl(view.readFilters()) !== toSoundsUrl(filters);
    try {
      const html = await ask(toFragmentUrl(url), () => !isLate());
      if (isLate()) return;
      view.append(html);
      replaceListingUrl(shown);
      $state.set({ state: 'ready' });
    } catch (error) {
      if (!isLate()) fail('loading-more', error, () => void showMore());
    }
  }

  function fail(during: 'searching' | 'loading-more', error: unknown, retry: () => void) {
    $state.set({ state: 'failed', during, messages: toErrorMessages(error), retry });
  }

  $wanted.subscribe(({ data, error, loading }) => {
    const url = $wantedUrl.get();
    if (url === null || loading) return;
    if (error) {
      hasFailed = true;
      fail('searching', error, () => want(readFilters(url)));
    } else if (data) {
      view.show(data);
      $wantedUrl.set(null);
      $state.set({ state: 'ready' });
    }
  });

  /** The router goes to another page or history entry: a pending search must not write to it. */
  function drop() {
    clearTimeout(settle);
    clearTimeout(pause);
    entry = null;
    $wantedUrl.set(null);
    if ($state.get().state !== 'failed') $state.set({ state: 'ready' });
  }

  addEventListener('popstate', drop);

  return { search, showMore, drop };
}

function readFilters(url: string): SoundFilters {
  return parseSoundFilters(new URL(url, location.origin).searchParams);
}
