import { publicAtom } from '../../lib/public-atom.ts';

/** The places of /profile that a link or its address can ask for. */
const PLACES = ['upload', 'personal-info'] as const;
export type Place = (typeof PLACES)[number];

/** Where `src/scripts/early.ts` notes when a link to the upload was pressed, epoch ms. */
const PRESS_KEY = 'upload';
/** Time enough to log in; later the press is forgotten. */
const PRESS_MS_MAX = 15 * 60_000;

/** Where on the page the member wants to go, until they are there or do something else. */
export const $place = publicAtom<Place | null>(null);

/**
 * Follows presses on the menu's upload button, whose address is plain (spec §2: it links to /profile), and
 * what the page's address names. Returns the function that ends it.
 */
export function followPlaces(): () => void {
  const life = new AbortController();
  const { signal } = life;
  const readAddress = () => $place.set(PLACES.find((place) => place === location.hash.slice(1)) ?? null);
  const giveUp = () => $place.set(null);
  const onClick = (event: MouseEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!isPlain || !(event.target as Element).closest('[data-upload]')) return;
    // The router would load the page once more.
    event.preventDefault();
    takePress();
    $place.set('upload');
  };
  if (takePress()) $place.set('upload');
  else readAddress();
  window.addEventListener('hashchange', readAddress, { signal });
  // What is not here yet must not take the focus later from somebody who has begun with something else.
  for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, giveUp, { signal });
  document.addEventListener('click', onClick, { capture: true, signal });
  return () => {
    life.abort();
    giveUp();
  };
}

/** Whether the upload button was pressed on the way here; a press counts once. */
function takePress(): boolean {
  const pressedAtMs = Number(sessionStorage.getItem(PRESS_KEY) ?? Number.NaN);
  sessionStorage.removeItem(PRESS_KEY);
  return Date.now() - pressedAtMs < PRESS_MS_MAX;
}
