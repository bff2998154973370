import { atom } from 'nanostores';
import { ApiError } from '../../../contract/errors.ts';
import type { Sound, SoundList } from '../../../contract/sounds.ts';

/** The loaded part of a list. */
export type SoundPages =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | {
      readonly state: 'ready';
      readonly sounds: readonly Sound[];
      /** The page after the loaded ones; null on the last page (spec §4). */
      readonly next: number | null;
      readonly isLoadingMore: boolean;
      /** Why the last read failed; the loaded sounds stay. */
      readonly failure: SoundPagesFailure | null;
    };

interface SoundPagesFailure {
  /** Whether the failed read was a reload or the next page. */
  readonly at: 'load' | 'more';
  readonly error: unknown;
}

export interface SoundPagesOptions {
  readonly pageSize: number;
  /** Reads one page, counted from 1. Throws `ApiError`. */
  ask(page: number, signal: AbortSignal): Promise<SoundList>;
  /** How many of these sounds the host no longer lists; later sounds have moved up by that number. */
  countRemoved?(sounds: readonly Sound[]): number;
}

/** A list that is read page by page and can be reloaded. Never throws. */
export function createSoundPages({ pageSize, ask, countRemoved = () => 0 }: SoundPagesOptions) {
  const $pages = atom<SoundPages>({ state: 'loading' });
  let reading = new AbortController();
  /** The last loaded page: a host may return smaller pages than requested. */
  let loadedPage = 1;
  /** Whether the list needs a reload: one is in progress or has failed. */
  let isStale = false;

  /** Cancels the current read; its answer is ignored. */
  function begin(): AbortSignal {
    reading.abort();
    reading = new AbortController();
    return reading.signal;
  }

  async function read(from: number, to: number, signal: AbortSignal): Promise<PageRange> {
    let range = { ...(await ask(from, signal)), lastPage: from };
    while (range.next !== null && range.next <= to) {
      const lastPage = range.next;
      const more = await ask(lastPage, signal);
      range = { ...more, results: join(range.results, more.results), lastPage };
    }
    return range;
  }

  async function settle(
    at: SoundPagesFailure['at'],
    work: (signal: AbortSignal) => Promise<PageRange>,
  ): Promise<void> {
    const signal = begin();
    try {
      const { results: sounds, next, lastPage } = await work(signal);
      if (signal.aborted) return;
      loadedPage = lastPage;
      isStale = false;
      $pages.set({ state: 'ready', sounds, next, isLoadingMore: false, failure: null });
    } catch (error) {
      if (signal.aborted) return;
      const known = $pages.get();
      $pages.set(
        known.state === 'ready'
          ? { ...known, isLoadingMore: false, failure: { at, error } }
          : { state: 'failed', error },
      );
    }
  }

  function reload(at: SoundPagesFailure['at']): Promise<void> {
    isStale = true;
    const to = at === 'more' ? loadedPage + 1 : loadedPage;
    return settle(at, (signal) => read(1, to, signal));
  }

  /** Reloads the list up to the loaded length; the loaded sounds stay shown meanwhile. */
  function load(): Promise<void> {
    const known = $pages.get();
    if (known.state === 'failed') $pages.set({ state: 'loading' });
    // A requested next page is still needed.
    return reload(known.state === 'ready' && known.isLoadingMore ? 'more' : 'load');
  }

  async function showMore(): Promise<void> {
    const known = $pages.get();
    if (known.state !== 'ready' || known.next === null || known.isLoadingMore) return;
    const { next } = known;
    $pages.set({ ...known, isLoadingMore: true, failure: null });
    if (isStale) return reload('more');
    const from = Math.max(1, next - Math.ceil(countRemoved(known.sounds) / pageSize));
    await settle('more', async (signal) => {
      try {
        const more = await read(from, next, signal);
        const here = $pages.get();
        return { ...more, results: join(here.state === 'ready' ? here.sounds : [], more.results) };
      } catch (error) {
        // The list has become shorter, and this page no longer exists.
        if (error instanceof ApiError && error.status === 404) return read(1, next, signal);
        throw error;
      }
    });
  }

  /** Shows accepted changes of a sound before the list is read again. */
  function change(id: string, changes: Partial<Sound>): void {
    const known = $pages.get();
    if (known.state !== 'ready') return;
    const sounds = known.sounds.map((sound) => (sound.id === id ? { ...sound, ...changes } : sound));
    $pages.set({ ...known, sounds });
  }

  /** Removes a sound immediately. */
  function remove(id: string): void {
    const known = $pages.get();
    if (known.state !== 'ready') return;
    $pages.set({ ...known, sounds: known.sounds.filter((sound) => sound.id !== id) });
  }

  return { $pages, load, showMore, change, remove, stop: () => void begin() };
}

type PageRange = SoundList & { readonly lastPage: number };

/** A sound that has moved to a later page is not shown twice. */
function join(sounds: readonly Sound[], more: readonly Sound[]): Sound[] {
  const known = new Set(sounds.map(({ id }) => id));
  return [...sounds, ...more.filter(({ id }) => !known.has(id))];
}
