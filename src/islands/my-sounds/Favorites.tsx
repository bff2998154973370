import { useEffect, useRef } from 'react';
import { FAVORITES_TAB, mySounds, showTab } from '../../stores/my-sounds/my-sounds.ts';
import { useSection } from '../profile/use-section.ts';
import { FavoriteList } from './FavoriteList.tsx';

/** The favourites of a member without a sounds section, where artists have them in a tab (spec §2). */
export function Favorites({ username }: { username: string }) {
  const title = useRef<HTMLHeadingElement>(null);
  useEffect(() => showTab(FAVORITES_TAB, username), [username]);
  useEffect(() => () => mySounds.close(), []);
  useSection('favorites', title);
  return (
    <section className="my-sounds" aria-labelledby="favorites-title">
      <h2 ref={title} id="favorites-title" tabIndex={-1} className="text-lg">
        お気に入り曲
      </h2>
      <FavoriteList />
    </section>
  );
}
