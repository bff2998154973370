import {
  WAITING_ISLANDS,
  defineDirective,
  hydrateIsland,
  isIsland,
  listScripts,
  readWhen,
} from '../../astro/islands.ts';
import { WAITING_PARTS } from '../../lib/islands.ts';
import { OfflineError, fetchScripts, showError, showOffline } from '../../browser/load-script.ts';

/**
 * Loads and hydrates islands: those of Astro (`client:when`), and the elements in the HTML of cards and lists
 * (`data-island`), for which an island of Astro each would be too heavy (decision 084). `early-islands.ts` keeps a press
 * that comes before; it is repeated here.
 */
const ISLAND = `${WAITING_ISLANDS}, ${WAITING_PARTS}`;
/** An island that was turned to before this script ran; the text of its field may have been edited since. */
const TURNED_TO = ':hover, :focus-within, :has(:user-valid)';
/** A script is asked for again after this time, or as soon as the browser is online. */
const RETRY_AFTER_MS = 3000;

const hydrations = new WeakMap<Element, Promise<void>>();

/** Loads the code of an element with `data-island`. */
type LoadPart = (place: HTMLElement) => Promise<{ hydrate(place: HTMLElement): Promise<void> }>;
/** Called once by the script of pages that have such elements. */
export let hydratePartsBy: (load: LoadPart) => void;
const loader = new Promise<LoadPart>((resolve) => (hydratePartsBy = resolve));

export function watchIslands(): void {
  const isTurnedTo = ({ target }: Event) => {
    const place = (target as Element).closest<HTMLElement>(ISLAND);
    if (place && isForIntent(place)) void hydrate(place);
  };
  defineDirective();
  document.addEventListener('island:press', repeatPresses);
  document.addEventListener('pointerover', isTurnedTo, { passive: true });
  document.addEventListener('focusin', isTurnedTo);
  document.addEventListener('player:start', () => {
    for (const place of document.querySelectorAll<HTMLElement>(ISLAND))
      if (readWhen(place) === 'play') void hydrate(place);
  });
  document.addEventListener('astro:hydration-error', (event) =>
    showError((event as CustomEvent<{ error: unknown }>).detail.error, event.target as Element),
  );
  document.addEventListener('astro:page-load', follow);
  follow();
  repeatPresses();
}

/** On a card, the player decides when an element without a button is hydrated. */
function isForIntent(place: HTMLElement): boolean {
  const when = readWhen(place);
  return when ? when === 'intent' : place.matches('[data-replay], :has([data-replay])');
}

/** Takes in the islands that have come with the page. */
function follow(): void {
  for (const place of document.querySelectorAll<HTMLElement>(WAITING_ISLANDS)) {
    const when = readWhen(place);
    const start = () => void hydrate(place);
    const isPlaying = when === 'play' && window.early?.button;
    if (when === 'load' || isPlaying || place.matches(TURNED_TO)) start();
    // Not every browser supports idle callbacks.
    else if (when === 'play' && 'player' in document.documentElement.dataset)
      (self.requestIdleCallback ?? setTimeout)(start);
  }
}

/**
 * Hydrates an island, once. Rejects if that is not possible; the user has been notified by then, and the next call tries
 * again.
 */
function hydrate(place: HTMLElement): Promise<void> {
  const known = hydrations.get(place);
  if (known) return known;
  const hydration = isIsland(place)
    ? fetchFiles(place, listScripts(place)).then(() => hydrateIsland(place))
    : hydratePart(place);
  hydrations.set(place, hydration);
  hydration.catch((error: unknown) => {
    console.warn(error);
    hydrations.delete(place);
  });
  return hydration;
}

/** Waits until the scripts of an island can be loaded. Rejects if one is gone, or the island has left the page. */
async function fetchFiles(element: HTMLElement, files: readonly string[]): Promise<void> {
  try {
    await fetchScripts(files, element);
  } catch (error) {
    if (!(error instanceof OfflineError && element.isConnected)) throw error;
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_AFTER_MS);
      addEventListener('online', resolve, { once: true });
    });
    await fetchFiles(element, files);
    showOffline(false);
  }
}

async function hydratePart(place: HTMLElement): Promise<void> {
  const load = await loader;
  return (await load(place)).hydrate(place);
}

/** A press means the same before and after its script has loaded. */
function repeatPresses(): void {
  for (const button of new Set(window.early?.presses.splice(0))) {
    const place = button.closest<HTMLElement>(ISLAND);
    void Promise.resolve(place && hydrate(place))
      .finally(() => (button.ariaBusy = null))
      // Of a failure, the user has been notified; the next press tries again.
      .then(
        () => button.click(),
        () => {},
      );
  }
}
