import { atom } from 'nanostores';
import { PLACE_WANTED, type Place, takePlace, toPlace } from '../lib/places.ts';

/** Where on the page the member wants to go, until they are there or do something else. */
export const $place = atom<Place | null>(null);

/** Follows presses on links to a place, and what the page's address names; returns the end of it. */
export function followPlaces(): () => void {
  const life = new AbortController();
  const { signal } = life;
  const readAddress = () => $place.set(toPlace(location.hash.slice(1)));
  const onWish = (event: Event) => {
    event.preventDefault();
    $place.set((event as CustomEvent<Place>).detail);
  };
  const giveUp = () => $place.set(null);
  const kept = takePlace();
  if (kept) $place.set(kept);
  else readAddress();
  window.addEventListener('hashchange', readAddress, { signal });
  document.addEventListener(PLACE_WANTED, onWish, { signal });
  // What is not here yet must not take the focus later from somebody who has begun with something else.
  for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, giveUp, { signal });
  return () => {
    life.abort();
    giveUp();
  };
}
