import { isListing } from '../../lib/fragments.ts';
import { type SoundFilters, toSoundsUrl } from '../../lib/sound-filters.ts';

/** The data of Astro's router in `history.state`. */
interface RouterState {
  readonly index: number;
  readonly scrollX: number;
  readonly scrollY: number;
}

/** The scroll position before the search box had focus; `scripts/catalogue/catalogue.ts` stores it. */
function takeScrollBefore(): number {
  const box = document.getElementById('search');
  const before = Number(box?.dataset['scrollBefore']) || 0;
  delete box?.dataset['scrollBefore'];
  return before;
}

/** The address under the listing, or null on another page. */
export function readListingUrl(): string | null {
  return isListing(location) ? location.pathname + location.search : null;
}

/** Updates the address without a new history entry; the router's own state is kept. */
export function replaceListingUrl(filters: SoundFilters): void {
  if (readListingUrl() !== null) history.replaceState(history.state, '', toSoundsUrl(filters));
}

/**
 * Adds a history entry for these filters, unless the address is already theirs. The previous entry keeps its scroll
 * position. Both have the state that the router needs when the visitor goes back or forward. Returns whether an entry
 * was added.
 */
export function pushListingUrl(filters: SoundFilters): boolean {
  const here = readListingUrl();
  const url = toSoundsUrl(filters);
  if (here === null || here === url) return false;
  const state = readState();
  const place = Math.max(takeScrollBefore(), state?.scrollY ?? scrollY);
  history.replaceState({ index: 0, ...state, scrollX, scrollY: place }, '');
  history.pushState({ index: (state?.index ?? 0) + 1, scrollX, scrollY }, '', url);
  return true;
}

function readState(): RouterState | null {
  return history.state as RouterState | null;
}
