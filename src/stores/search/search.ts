import { atom, onMount } from 'nanostores';
import { publicAtom } from '../../lib/public-atom.ts';
import type { Listing } from '../../lib/listing.ts';
import { rememberFilters } from '../session/session.ts';
import type { BrowserState, ListingStores, SearchText } from './results.ts';

export { saveScrollPosition } from './history.ts';
export type { BrowserState } from './results.ts';

/** Text of the navbar's search box (spec §3, session); null until it is edited. */
export const $search = publicAtom<SearchText | null>(null);

export const READY: BrowserState = { state: 'ready' };

/**
 * The listing at /sounds: starts with what the server rendered, follows the search box, appends pages, and keeps the
 * URL in sync. One instance per page shown. The code that calls the server loads when first needed.
 */
export function createSoundBrowser(first: Listing) {
  const stores: ListingStores = { $listing: atom(first), $state: atom<BrowserState>(READY) };
  const { $listing, $state } = stores;
  type Searcher = ReturnType<typeof import('./results.ts').createSoundSearch>;
  let searcher: Promise<Searcher> | undefined;

  async function use(work: (searcher: Searcher) => void): Promise<void> {
    searcher ??= import('./results.ts').then(({ createSoundSearch }) => createSoundSearch(stores));
    try {
      work(await searcher);
    } catch {
      searcher = undefined;
      $state.set({ state: 'failed', during: 'searching', retry: () => void use(work) });
    }
  }

  onMount($listing, () => {
    // The server renders the list once and follows no changes.
    if (typeof document === 'undefined') return;
    const stopSearch = $search.subscribe((text) => {
      if (text !== null) void use((loaded) => loaded.search(text));
    });
    // Spec §3: the session stores the last search.
    const stopFilters = $listing.subscribe(({ filters: { search, subGenres, type } }) =>
      rememberFilters({ search, subgenres: subGenres, type }),
    );
    const stop = () => {
      stopSearch();
      stopFilters();
      document.removeEventListener('astro:before-swap', stop);
      void searcher?.then((loaded) => loaded.stop());
      searcher = undefined;
    };
    // A store unmounts one second after its island: by then the next page follows the search box.
    document.addEventListener('astro:before-swap', stop);
    return stop;
  });

  return { $listing, $state, showMore: () => use((loaded) => void loaded.showMore()) };
}
