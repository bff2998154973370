import { navigate } from 'astro:transitions/client';
import { map } from 'nanostores';
import { loginPath } from '../lib/paths.ts';
import { rememberScroll } from '../lib/scroll.ts';

/** Whether the member has favourited a sound, by its id; absent: not asked yet. */
export const $favorites = map<Record<string, boolean | undefined>>({});

/** What an answer made for this member says of its sounds. */
export function noteFavorites(sounds: readonly { id: string; is_favorited?: boolean | undefined }[]): void {
  if (!isMember()) return;
  for (const { id, is_favorited } of sounds) {
    if (is_favorited !== undefined) $favorites.setKey(id, is_favorited);
  }
}

/** Has the hearts of all cards on the page filled in; islands that ask at once share one call. */
export function loadFavorites(): void {
  if (isMember()) void import('./favorite-actions.ts').then((actions) => actions.loadFavorites());
}

/**
 * Adds a favourite or takes it away; `isSaid` where no heart shows it. A visitor's press leads to
 * log-in, and back to where they were (spec §6).
 */
export function toggleFavorite(id: string, isSaid = false): void {
  if (isMember()) void import('./favorite-actions.ts').then((actions) => actions.toggleFavorite(id, isSaid));
  else {
    const place = location.pathname + location.search;
    rememberScroll(place);
    void navigate(loginPath(place));
  }
}

function isMember(): boolean {
  return 'member' in document.documentElement.dataset;
}
