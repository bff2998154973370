import type { When } from '../../browser/early.ts';
import { fetchScript, showError, showOffline } from '../../browser/load-script.ts';

/**
 * Loads and hydrates islands: those of Astro (`client:when`), and the elements in the HTML of cards and lists
 * (`data-island`), for which an island of Astro each would be too heavy (decision 084). `early-islands.ts` keeps a press
 * that comes before; it is repeated here.
 */
const ISLAND = 'astro-island[ssr], [data-islands] [data-island]:not([data-live])';
/** A script is asked for again after this time, or as soon as the browser is online. */
const RETRY_AFTER_MS = 3000;

/** An island of Astro. */
interface WaitingIsland {
  readonly element: HTMLElement;
  readonly when: When;
  /** Imports its code. Returns the function that hydrates it. */
  load(): Promise<() => void | Promise<void>>;
}

const islands = new WeakMap<Element, WaitingIsland>();
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
  document.addEventListener('island:press', repeatPresses);
  document.addEventListener('pointerover', isTurnedTo, { passive: true });
  document.addEventListener('focusin', isTurnedTo);
  document.addEventListener('player:start', () => {
    for (const place of document.querySelectorAll<HTMLElement>(ISLAND))
      if (islands.get(place)?.when === 'play') void hydrate(place);
  });
  document.addEventListener('astro:hydration-error', (event) =>
    showError((event as CustomEvent<{ error: unknown }>).detail.error, event.target as Element),
  );
  repeatPresses();
}

/** On a card, the player decides when an element without a button is hydrated. */
function isForIntent(place: HTMLElement): boolean {
  const island = islands.get(place);
  return island ? island.when === 'intent' : place.matches('[data-replay], :has([data-replay])');
}

/** Takes in an island of Astro that has come with the page. */
export function addIsland(island: WaitingIsland): void {
  const { element, when } = island;
  const start = () => void hydrate(element);
  islands.set(element, island);
  const isPlaying = when === 'play' && window.early?.button;
  if (when === 'load' || isPlaying || element.matches(':hover, :focus-within')) start();
  // Not every browser supports idle callbacks.
  else if (when === 'play' && 'player' in document.documentElement.dataset)
    (self.requestIdleCallback ?? setTimeout)(start);
}

/**
 * Hydrates an island, once. Rejects if that is not possible; the user has been notified by then, and the next call tries
 * again.
 */
function hydrate(place: HTMLElement): Promise<void> {
  const known = hydrations.get(place);
  if (known) return known;
  const island = islands.get(place);
  const hydration = island ? hydrateIsland(island) : hydratePart(place);
  hydrations.set(place, hydration);
  hydration.catch((error: unknown) => {
    console.warn(error);
    hydrations.delete(place);
  });
  return hydration;
}

async function hydrateIsland(island: WaitingIsland): Promise<void> {
  await fetchFiles(island.element);
  const start = await island.load();
  await start();
  // React attaches its listeners in the next task.
  await new Promise((resolve) => setTimeout(resolve));
}

/** Waits until the scripts of an island of Astro can be loaded. Rejects if one is gone, or the island has left the page. */
async function fetchFiles(element: HTMLElement): Promise<void> {
  const files = ['renderer-url', 'component-url'].map((name) => element.getAttribute(name) ?? '');
  try {
    await Promise.all(files.map((file) => fetchScript(new URL(file, location.href).href)));
  } catch (error) {
    if (!(error instanceof TypeError)) showError(error, element);
    if (!(error instanceof TypeError && element.isConnected)) throw error;
    await new Promise((resolve) => {
      setTimeout(resolve, RETRY_AFTER_MS);
      addEventListener('online', resolve, { once: true });
    });
    await fetchFiles(element);
    showOffline(false);
  }
}

async function hydratePart(place: HTMLElement): Promise<void> {
  const load = await loader;
  return (await load(place)).hydrate(place);
}

/** A press means the same before and after its script has loaded. */
function repeatPresses(): void {
  for (const button of new Set(window.early?.held.splice(0))) {
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
