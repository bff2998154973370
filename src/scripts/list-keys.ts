import { followOverlays } from '../islands/overlays/load.ts';
import { readCard } from '../lib/tracks.ts';
import { downloadSound } from '../stores/downloads/downloads.ts';
import { toggleFavorite } from '../stores/favorites/favorites.ts';

/** Handles a key that is pressed on a card of a list. */
export function pressListKey(card: HTMLElement, event: KeyboardEvent): void {
  const key = event.key.toLowerCase();
  // A held key does not download again.
  if (event.repeat && key < 'j') return;
  // keys.ts ignores them then as well.
  if (localStorage.getItem('player:keys') === 'false') return;
  followOverlays();
  const track = readCard(card);
  if (key === 'j') goTo(card, 1);
  else if (key === 'k') goTo(card, -1);
  else if (track && key === 'f') toggleFavorite(track.id, true);
  else if (track && key === 'd') void downloadSound(track);
}

/** Moves the focus to the play button of a neighbouring card, where Space plays it. It stays at either end. */
function goTo(card: HTMLElement, step: 1 | -1): void {
  const cards = [...(card.closest('[data-queue]')?.querySelectorAll<HTMLElement>('[data-sound]') ?? [])];
  // A key that is held is pressed again before this script has run for the last press.
  const here = document.activeElement?.closest<HTMLElement>('[data-sound]') ?? card;
  const next = cards[cards.indexOf(here) + step];
  next?.querySelector<HTMLElement>('[data-play], a')?.focus({ preventScroll: true });
  next?.scrollIntoView({ block: 'nearest' });
}
