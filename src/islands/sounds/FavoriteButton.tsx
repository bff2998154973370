import { $favorites, toggleFavorite } from '../../stores/favorites/favorites.ts';
import { Icon } from '../ui/Icon.tsx';
import { useStore } from '../ui/use-store.ts';

/** The heart of a sound. The browser fills it, because the HTML is the same for every visitor. */
export function FavoriteButton({ id, title }: { id: string; title: string }) {
  const isFavorited = useStore($favorites)[id] === true;
  return (
    <button
      type="button"
      className="icon-button favorite"
      aria-pressed={isFavorited}
      aria-label={`お気に入り：${title}`}
      data-replay=""
      onClick={() => toggleFavorite(id)}
    >
      <Icon name="heart" />
    </button>
  );
}
