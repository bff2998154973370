import { navigate } from '../../navigation/navigate.ts';
import { loginPath } from '../../lib/login-path.ts';
import { rememberScroll } from '../../browser/scroll.ts';
import { readStored, writeStored } from '../../browser/stored.ts';
import { $favorites } from './state.ts';

export { $favorites };

/** Stores the favourite state that a reply for this member gives for its sounds. */
export function storeFavorites(sounds: readonly { id: string; is_favorited?: boolean | undefined }[]): void {
  if (!isMember()) return;
  for (const { id, is_favorited } of sounds) {
    if (is_favorited !== undefined) $favorites.setKey(id, is_favorited);
  }
}

/** Fills the hearts of all cards on the page; islands that ask at the same time share one call. */
export function loadFavorites(): void {
  if (isMember()) void import('./actions.ts').then((actions) => actions.loadFavorites()).catch(console.warn);
}

/** A visitor's press leads to log-in and back (spec §6). `isAnnounced`: no heart on the page shows it. */
export function toggleFavorite(id: string, isAnnounced = false): void {
  if (isMember())
    void import('./actions.ts')
      .then((actions) => actions.toggleFavorite(id, isAnnounced))
      .catch(console.warn);
  else {
    const path = readPath();
    rememberScroll(path);
    const pending: PendingFavorite = { id, place: path, at: Date.now() };
    writeStored(PENDING_KEY, pending, 'sessionStorage');
    void navigate(loginPath(path));
  }
}

/** A sound that a visitor pressed as a favourite before logging in, and its page. */
interface PendingFavorite {
  readonly id: string;
  /** The path and query of its page. */
  readonly place: string;
  readonly at: number;
}

/** Stored in this tab only and never in an address, so that a link cannot add favourites for another person. */
const PENDING_KEY = 'favorite:wish';
const PENDING_MS_MAX = 15 * 60_000;

/** Adds the favourite that a visitor pressed before logging in, once, when log-in has returned to that page. */
export function applyPendingFavorite(): void {
  // When the router leaves by a full load, the previous page is still shown.
  if (!isMember() || location.pathname === '/login') return;
  const { id, place, at } = readStored(PENDING_KEY, toPending, 'sessionStorage');
  writeStored(PENDING_KEY, null, 'sessionStorage');
  const ageMs = Date.now() - Number(at);
  if (typeof id !== 'string' || place !== readPath() || !(ageMs >= 0 && ageMs < PENDING_MS_MAX)) return;
  if ($favorites.get()[id] !== true) toggleFavorite(id, true);
}

function toPending(stored: unknown): Partial<PendingFavorite> {
  return stored ?? {};
}

function readPath(): string {
  return location.pathname + location.search;
}

function isMember(): boolean {
  return 'member' in document.documentElement.dataset;
}
