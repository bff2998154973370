import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';
import { isNetworkAdPage } from '../lib/ad-pages.ts';

let isWatching = false;

/**
 * The router keeps one document, and with it the policy and the scripts that it began with. Where an ad network
 * is on, a way between pages that may load its scripts and pages that must not is a full load, so that
 * no script of theirs stays on while somebody logs in. Nothing of a network is loaded before this watches.
 */
export function watchAdBoundary(): void {
  if (isWatching) return;
  isWatching = true;
  document.addEventListener('astro:before-preparation', (event) => {
    // Unsaved words have left the way to the browser already.
    if (event.defaultPrevented || !hasAdNetwork()) return;
    if (isNetworkAdPage(event.from.pathname) === isNetworkAdPage(event.to.pathname)) return;
    if (event.navigationType === 'replace') replaceDocument(event);
    else event.preventDefault();
  });
}

/** The router itself would leave a place in the history that was meant to be replaced. */
function replaceDocument(event: TransitionBeforePreparationEvent): void {
  event.loader = () => new Promise(() => {});
  location.replace(event.to.href);
}

export function hasAdNetwork(): boolean {
  const ads = document.querySelector<HTMLMetaElement>('meta[name="ads"]')?.content ?? '';
  return ads.split(',').includes('gpt');
}
