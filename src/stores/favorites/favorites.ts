import { navigate } from 'astro:transitions/client';
import { loginPath } from '../../lib/login-path.ts';
import { rememberScroll } from '../../lib/scroll.ts';
import { memberMap } from '../shared/member-atom.ts';

/** Whether the member has favourited a sound, by its id; absent: not asked yet. */
export const $favorites = memberMap<Record<string, boolean | undefined>>({});

/** What an answer made for this member says of its sounds. */
export function noteFavorites(sounds: readonly { id: string; is_favorited?: boolean | undefined }[]): void {
  if (!isMember()) return;
  for (const { id, is_favorited } of sounds) {
    if (is_favorited !== undefined) $favorites.setKey(id, is_favorited);
  }
}

/** Has the hearts of all cards on the page filled in; islands that ask at once share one call. */
export function loadFavorites(): void {
  if (isMember()) void import('./actions.ts').then((actions) => actions.loadFavorites()).catch(console.warn);
}

/**
 * Adds a favourite or takes it away; `isSaid` where no heart shows it. A visitor's press leads to
 * log-in, and back to where they were (spec §6).
 */
export function toggleFavorite(id: string, isSaid = false): void {
  if (isMember())
    void import('./actions.ts').then((actions) => actions.toggleFavorite(id, isSaid)).catch(console.warn);
  else {
    const place = readPlace();
    rememberScroll(place);
    keepWish({ id, place, at: Date.now() });
    void navigate(loginPath(place));
  }
}

/** A sound that a visitor wanted as a favourite before logging in, and where that was. */
interface Wish {
  readonly id: string;
  readonly place: string;
  readonly at: number;
}

/** This tab's alone, and never in an address: nobody can make a wish for somebody else by a link. */
const WISH = 'favorite:wish';
const WISH_MS_MAX = 15 * 60_000;
/** Where storage is forbidden, it lasts as long as the page. */
let unwritten: Wish | null = null;

function keepWish(wish: Wish): void {
  unwritten = wish;
  try {
    sessionStorage.setItem(WISH, JSON.stringify(wish));
  } catch {
    // It is kept above.
  }
}

/** Favourites what a visitor pressed before they logged in, once, when log-in has led back to that place. */
export function grantWish(): void {
  // A router that leaves by a full load is still on the page before.
  if (!isMember() || location.pathname === '/login') return;
  let wish: Partial<Wish> | null = unwritten;
  unwritten = null;
  try {
    wish = (JSON.parse(sessionStorage.getItem(WISH) ?? 'null') as Partial<Wish> | null) ?? wish;
    sessionStorage.removeItem(WISH);
  } catch {
    // Storage is forbidden, or holds what is not ours.
  }
  const ageMs = Date.now() - Number(wish?.at);
  if (typeof wish?.id !== 'string' || wish.place !== readPlace() || !(ageMs >= 0 && ageMs < WISH_MS_MAX))
    return;
  if ($favorites.get()[wish.id] !== true) toggleFavorite(wish.id, true);
}

function readPlace(): string {
  return location.pathname + location.search;
}

function isMember(): boolean {
  return 'member' in document.documentElement.dataset;
}
