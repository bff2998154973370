import { followOverlays } from '../../islands/overlays/load.ts';
import { readCard } from '../../browser/tracks.ts';
import { downloadSound } from '../../stores/downloads/downloads.ts';
import { toggleFavorite } from '../../stores/favorites/favorites.ts';
import { $hasKeys } from '../../stores/player/player.ts';

const CARD = '[data-queue] [data-sound]';

/**
 * Handles a key that is pressed on a card of a list, or elsewhere (null): then J and K lead to the first card in view, or
 * from the card that was clicked to its neighbour.
 */
export function pressListKey(card: HTMLElement | null, event: KeyboardEvent): void {
  const key = event.key.toLowerCase();
  // A repeated key does not download again.
  if (event.repeat && key < 'j') return;
  // keys.ts ignores them then as well.
  if (!$hasKeys.get()) return;
  followOverlays();
  card ??= document.activeElement?.closest<HTMLElement>(CARD) ?? null;
  if (!card) {
    // The page behind a dialog or an advertisement stays where it is.
    if (!document.querySelector('dialog:modal, body[data-held]')) focusCard(findInView());
    return;
  }
  const track = readCard(card);
  if (key === 'j') goTo(card, 1);
  else if (key === 'k') goTo(card, -1);
  else if (track && key === 'f') toggleFavorite(track.id, true);
  else if (track && key === 'd') void downloadSound(track);
}

/** Moves the focus to a neighbouring card of the page. It stays at either end. */
function goTo(card: HTMLElement, step: 1 | -1): void {
  const cards = listCards();
  // A repeated key comes before this script has run for the last press.
  const here = document.activeElement?.closest<HTMLElement>(CARD) ?? card;
  focusCard(cards[cards.indexOf(here) + step]);
}

function findInView(): HTMLElement | undefined {
  const top = Math.max(0, document.querySelector('header')?.getBoundingClientRect().bottom ?? 0);
  return listCards().find((card) => card.getBoundingClientRect().bottom > top);
}

function listCards(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(CARD)];
}

/** Moves the focus to the play button of a card, where Space plays it; without a file, to its first link. */
function focusCard(card: HTMLElement | undefined): void {
  const target =
    card?.querySelector<HTMLElement>('[data-play]') ?? card?.querySelector<HTMLElement>('.card-body a');
  target?.focus({ preventScroll: true });
  card?.scrollIntoView({ block: 'nearest' });
}
