/** Replaces `astro:transitions/client`, which exists only in a built page. */
import type {
  Options,
  TransitionBeforePreparationEvent,
  TransitionBeforeSwapEvent,
} from 'astro:transitions/client';

export const navigations: string[] = [];
/** Whether navigations take place, with the events of Astro's router. Otherwise they are only recorded. */
export const router = { isActive: false };

/** The page that the last navigation has shown, and the addresses that were left to the browser. */
export let arrived: Document | null = null;
export const left: string[] = [];

let current = new AbortController();

export function navigate(href: string, options: Options = {}): Promise<void> {
  navigations.push(href);
  return router.isActive ? go(new URL(href, location.href), options) : Promise.resolve();
}

/** Goes to what is in the history, as after Back. The address has changed by then. */
export function traverse(): Promise<void> {
  return go(new URL(location.href), {}, 'traverse');
}

async function go(
  to: URL,
  options: Options,
  navigationType: string = options.history ?? 'push',
): Promise<void> {
  current.abort();
  current = new AbortController();
  const { signal } = current;
  const facts = { from: new URL(location.href), to, navigationType, signal, ...options };
  const preparation = Object.assign(new Event('astro:before-preparation', { cancelable: true }), facts, {
    loader: () => Promise.resolve(),
  }) as unknown as TransitionBeforePreparationEvent;
  if (!document.dispatchEvent(preparation)) return;
  await preparation.loader();
  if (signal.aborted) return;
  if (preparation.defaultPrevented) return void left.push(to.pathname);
  arrived = preparation.newDocument;
  const swap = Object.assign(new Event('astro:before-swap'), facts, {
    to: preparation.to,
    swap: () => undefined,
  }) as unknown as TransitionBeforeSwapEvent;
  document.dispatchEvent(swap);
  swap.swap();
  if (navigationType === 'replace') history.replaceState({}, '', preparation.to.href);
  if (navigationType === 'push') history.pushState({}, '', preparation.to.href);
  document.dispatchEvent(new Event('astro:after-swap'));
  document.dispatchEvent(new Event('astro:page-load'));
}
