import { useRef } from 'react';
import { UNTITLED, type Sound } from '../../../contract/sounds/sounds.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { $favorites, toggleFavorite } from '../../stores/favorites/favorites.ts';
import { SoundCard } from '../sounds/SoundCard.tsx';
import { SoundPageList } from './SoundPageList.tsx';
import { useStore } from '../ui/use-store.ts';

/** The member's favourites as public cards; the tab is the player's queue (spec §2). */
export function FavoriteList() {
  return (
    <SoundPageList
      label="お気に入り曲"
      empty={
        <>
          お気に入りはまだありません。気に入ったサウンドのハートを押すと、ここに並びます。
          <a className="button" href="/sounds">
            サウンドを探す
          </a>
        </>
      }
      renderItem={(sound) => <FavoriteItem key={sound.id} sound={sound} />}
    />
  );
}

/** A removed favourite stays, dimmed and with an undo button, until the tab is left. */
function FavoriteItem({ sound }: { sound: Sound }) {
  const isGone = useStore($favorites)[sound.id] === false;
  const item = useRef<HTMLLIElement>(null);
  return (
    <li ref={item} className={isGone ? 'own-gone' : undefined}>
      <SoundCard sound={sound} hasPage={isExtended()} />
      {isGone && (
        <div className="own-gone-note">
          <p role="status">お気に入りから外しました</p>
          <button
            type="button"
            className="button"
            aria-label={`${sound.title || UNTITLED}をお気に入りに元に戻す`}
            onClick={() => {
              toggleFavorite(sound.id);
              item.current?.querySelector<HTMLElement>('.favorite')?.focus();
            }}
          >
            元に戻す
          </button>
        </div>
      )}
    </li>
  );
}
