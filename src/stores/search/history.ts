import { type SoundFilters, toSoundsUrl } from '../../lib/sound-filters.ts';

/** What Astro's router keeps in `history.state`. */
interface RouterState {
  readonly index: number;
  readonly scrollX: number;
  readonly scrollY: number;
}

/** How far the list was scrolled when the search box got the focus, which scrolls to the top. */
let placeBefore = 0;

/** Remembers the place in the list before focus moves to the search box. */
export function notePlace(): void {
  placeBefore = readState()?.scrollY ?? 0;
}

/** The address under the listing, or null on another page. */
export function readListingUrl(): string | null {
  return /^\/sounds\/?$/.test(location.pathname) ? location.pathname + location.search : null;
}

/** The address follows the list without a new history entry; the router's own state is kept. */
export function replaceListingUrl(filters: SoundFilters): void {
  if (readListingUrl() !== null) history.replaceState(history.state, '', toSoundsUrl(filters));
}

/**
 * Adds a history entry for these filters, unless the address already is theirs. The entry before keeps
 * its place in the list. Both have the state that the router needs when the visitor goes back or forward.
 * Returns whether there is a new entry.
 */
export function pushListingUrl(filters: SoundFilters): boolean {
  const here = readListingUrl();
  const url = toSoundsUrl(filters);
  if (here === null || here === url) return false;
  const state = readState();
  const place = Math.max(placeBefore, state?.scrollY ?? scrollY);
  placeBefore = 0;
  history.replaceState({ ...state, scrollX, scrollY: place }, '');
  history.pushState({ ...state, index: (state?.index ?? 0) + 1, scrollX, scrollY }, '', url);
  return true;
}

function readState(): RouterState | null {
  return history.state as RouterState | null;
}
