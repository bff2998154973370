import { publicAtom } from '../../browser/public-atom.ts';
import { readStored, writeStored } from '../../browser/stored.ts';

/** The sections of /profile that a link or its address can name. */
const SECTIONS = ['upload', 'personal-info', 'reports', 'favorites'] as const;
export type Section = (typeof SECTIONS)[number];

/** Where `src/scripts/early.ts` stores when the upload link was pressed, epoch ms. */
const PRESS_KEY = 'upload';
/** Enough time to log in; after that the press is ignored. */
const PRESS_MS_MAX = 15 * 60_000;

/** Where on the page the member wants to go, until they arrive or do something else. */
export const $section = publicAtom<Section | null>(null);

/**
 * Follows presses on the menu's upload button, whose address is plain (spec §2: it links to /profile), and the section
 * named in the page's address. Returns the function that stops it.
 */
export function followSections(): () => void {
  const controller = new AbortController();
  const { signal } = controller;
  const readAddress = () =>
    $section.set(SECTIONS.find((section) => section === location.hash.slice(1)) ?? null);
  const giveUp = () => $section.set(null);
  const onClick = (event: MouseEvent) => {
    const isPlain = !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey;
    if (!isPlain || !(event.target as Element).closest('[data-upload]')) return;
    // The router would load the page again.
    event.preventDefault();
    takePress();
    $section.set('upload');
  };
  if (takePress()) $section.set('upload');
  else readAddress();
  window.addEventListener('hashchange', readAddress, { signal });
  // A section that loads late must not take focus from a member who has started something else.
  for (const type of ['keydown', 'pointerdown']) document.addEventListener(type, giveUp, { signal });
  document.addEventListener('click', onClick, { capture: true, signal });
  return () => {
    controller.abort();
    giveUp();
  };
}

/** Whether the upload button was pressed on the way here; a press counts once. */
function takePress(): boolean {
  const pressedAtMs = readStored(PRESS_KEY, Number, 'sessionStorage');
  writeStored(PRESS_KEY, null, 'sessionStorage');
  return Date.now() - pressedAtMs < PRESS_MS_MAX;
}
