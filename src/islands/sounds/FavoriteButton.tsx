import { toggleFavorite } from '../../stores/favorites.ts';
import { Icon } from '../ui/Icon.tsx';

export function FavoriteButton({ title, isFavorited }: { title: string; isFavorited: boolean }) {
  return (
    <button
      type="button"
      className="icon-button favorite"
      aria-pressed={isFavorited}
      aria-label={`${title}をお気に入りに追加`}
      data-replay=""
      onClick={toggleFavorite}
    >
      <Icon name="heart" />
    </button>
  );
}
