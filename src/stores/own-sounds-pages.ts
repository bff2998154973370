import { atom } from 'nanostores';
import type { Sound, SoundList } from '../../contract/sounds.ts';

/** A list as far as it has been read. */
export type SoundPages =
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly error: unknown }
  | {
      readonly state: 'ready';
      readonly sounds: readonly Sound[];
      /** The page after those that are here; null on the last one (spec §4). */
      readonly next: number | null;
      readonly isLoadingMore: boolean;
      /** Why it could not be read further, or anew; what is here stays. */
      readonly error: unknown;
    };

export interface SoundPagesOptions {
  readonly pageSize: number;
  /** Asks for one page, the first being 1. Throws `ApiError`. */
  ask(page: number, signal: AbortSignal): Promise<SoundList>;
  /** Of the sounds here, how many the host no longer has in this list; what follows has moved up by as many. */
  countGone?(sounds: readonly Sound[]): number;
}

/** A list that is read page by page and can be read anew. Nothing of it throws. */
export function createSoundPages({ pageSize, ask, countGone = () => 0 }: SoundPagesOptions) {
  const $pages = atom<SoundPages>({ state: 'loading' });
  let reading = new AbortController();

  /** Ends what is under way; its answer means nothing any more. */
  function begin(): AbortSignal {
    reading.abort();
    reading = new AbortController();
    return reading.signal;
  }

  async function read(from: number, to: number, signal: AbortSignal): Promise<SoundList> {
    let list = await ask(from, signal);
    while (list.next !== null && list.next <= to) {
      const more = await ask(list.next, signal);
      list = { ...more, results: join(list.results, more.results) };
    }
    return list;
  }

  async function settle(work: (signal: AbortSignal) => Promise<SoundList>): Promise<void> {
    const signal = begin();
    try {
      const { results: sounds, next } = await work(signal);
      if (!signal.aborted) $pages.set({ state: 'ready', sounds, next, isLoadingMore: false, error: null });
    } catch (error) {
      if (signal.aborted) return;
      const known = $pages.get();
      $pages.set(
        known.state === 'ready' ? { ...known, isLoadingMore: false, error } : { state: 'failed', error },
      );
    }
  }

  /** Reads the list from its start as far as it is here now; meanwhile what is here stays. */
  function load(): Promise<void> {
    const known = $pages.get();
    if (known.state === 'failed') $pages.set({ state: 'loading' });
    else if (known.state === 'ready' && known.isLoadingMore) $pages.set({ ...known, isLoadingMore: false });
    const reach = known.state === 'ready' ? Math.ceil(known.sounds.length / pageSize) : 1;
    return settle((signal) => read(1, reach, signal));
  }

  async function showMore(): Promise<void> {
    const known = $pages.get();
    if (known.state !== 'ready' || known.next === null || known.isLoadingMore) return;
    const { next } = known;
    $pages.set({ ...known, isLoadingMore: true, error: null });
    const from = Math.max(1, next - Math.ceil(countGone(known.sounds) / pageSize));
    await settle(async (signal) => {
      const more = await read(from, next, signal);
      const here = $pages.get();
      return { ...more, results: join(here.state === 'ready' ? here.sounds : [], more.results) };
    });
  }

  /** Takes a sound out at once. */
  function remove(id: string): void {
    const known = $pages.get();
    if (known.state !== 'ready') return;
    $pages.set({ ...known, sounds: known.sounds.filter((sound) => sound.id !== id) });
  }

  return { $pages, load, showMore, remove, stop: () => void begin() };
}

/** A sound that has moved onto a later page meanwhile is not shown twice. */
function join(sounds: readonly Sound[], more: readonly Sound[]): Sound[] {
  const known = new Set(sounds.map(({ id }) => id));
  return [...sounds, ...more.filter(({ id }) => !known.has(id))];
}
