import { followOverlays } from '../../islands/overlays/load.ts';
import { $favorites, loadFavorites } from '../../stores/favorites/favorites.ts';

let isFollowing = false;

/** Fills the hearts of a member's favourites, on cards whose islands are not hydrated as well. */
export function fillHearts(): void {
  loadFavorites();
  if (isFollowing) mark();
  else {
    followOverlays();
    $favorites.subscribe(mark);
  }
  isFollowing = true;
}

function mark(): void {
  const favorites = $favorites.get();
  for (const heart of document.querySelectorAll('.favorite')) {
    const id = heart.closest<HTMLElement>('[data-sound]')?.dataset['sound'] ?? '';
    heart.ariaPressed = String(favorites[id] === true);
  }
}
