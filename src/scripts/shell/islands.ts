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
 * (`data-island`), for which an island of Astro each would be too heavy (decision 084). `early-islands.ts` stores the
 * presses that come before; they are repeated here.
 */
const ISLAND = `${WAITING_ISLANDS}, ${WAITING_PARTS}`;
/** An island that has the pointer or the focus, or an edited field, from before this script ran. */
const IN_USE = ':hover, :focus-within, :has(:user-valid)';
/** A script is asked for again after this time, or as soon as the browser is online. */
const RETRY_AFTER_MS = 3000;

const hydrations = new WeakMap<Element, Promise<void>>();

/** Loads the code of an element with `data-island`. */
type LoadPart = (element: HTMLElement) => Promise<{ hydrate(element: HTMLElement): Promise<void> }>;
/** Called once by the script of pages that have such elements. */
export let hydratePartsBy: (load: LoadPart) => void;
const loader = new Promise<LoadPart>((resolve) => (hydratePartsBy = resolve));

export function watchIslands(): void {
  const hydrateForIntent = ({ target }: Event) => {
    const element = (target as Element).closest<HTMLElement>(ISLAND);
    if (element && isForIntent(element)) void hydrate(element);
  };
  defineDirective();
  document.addEventListener('island:press', repeatPresses);
  document.addEventListener('pointerover', hydrateForIntent, { passive: true });
  document.addEventListener('focusin', hydrateForIntent);
  document.addEventListener('player:start', () => {
    for (const element of document.querySelectorAll<HTMLElement>(ISLAND))
      if (readWhen(element) === 'play') void hydrate(element);
  });
  document.addEventListener('astro:hydration-error', (event) =>
    showError((event as CustomEvent<{ error: unknown }>).detail.error, event.target as Element),
  );
  document.addEventListener('astro:page-load', startIslands);
  startIslands();
  repeatPresses();
}

/** On a card, the player decides when an element without a button is hydrated. */
function isForIntent(element: HTMLElement): boolean {
  const when = readWhen(element);
  return when ? when === 'intent' : element.matches('[data-replay], :has([data-replay])');
}

/** Starts the islands of a new page that do not wait for the pointer or the focus. */
function startIslands(): void {
  for (const element of document.querySelectorAll<HTMLElement>(WAITING_ISLANDS)) {
    const when = readWhen(element);
    const start = () => void hydrate(element);
    const isPlaying = when === 'play' && window.early?.button;
    if (when === 'load' || isPlaying || element.matches(IN_USE)) start();
    // Not every browser supports idle callbacks.
    else if (when === 'play' && 'player' in document.documentElement.dataset)
      (self.requestIdleCallback ?? setTimeout)(start);
  }
}

/**
 * Hydrates an island, once. Rejects if that is not possible; the user has been notified by then, and the next call tries
 * again.
 */
function hydrate(element: HTMLElement): Promise<void> {
  const existing = hydrations.get(element);
  if (existing) return existing;
  const hydration = isIsland(element)
    ? fetchFiles(element, listScripts(element)).then(() => hydrateIsland(element))
    : hydratePart(element);
  hydrations.set(element, hydration);
  hydration.catch((error: unknown) => {
    console.warn(error);
    hydrations.delete(element);
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

async function hydratePart(element: HTMLElement): Promise<void> {
  const load = await loader;
  return (await load(element)).hydrate(element);
}

/** A press means the same before and after its script has loaded. */
function repeatPresses(): void {
  for (const button of new Set(window.early?.presses.splice(0))) {
    const element = button.closest<HTMLElement>(ISLAND);
    void Promise.resolve(element && hydrate(element))
      .finally(() => (button.ariaBusy = null))
      // The user has been notified of a failure; the next press tries again.
      .then(
        () => button.click(),
        () => {},
      );
  }
}
