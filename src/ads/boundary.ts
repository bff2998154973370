import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';
import { isNetworkAdPage } from '../lib/ad-pages.ts';

let isWatching = false;

/**
 * The router keeps one document, with its policy and scripts. Where an ad network is on, navigation between pages that
 * may load its scripts and pages that must not is a full load, so that none of its scripts remain while a user logs in.
 * No network code loads before this listener exists.
 */
export function watchAdBoundary(): void {
  if (isWatching) return;
  isWatching = true;
  document.addEventListener('astro:before-preparation', (event) => {
    // The guard of unsaved text has already left the navigation to the browser.
    if (event.defaultPrevented || !hasAdNetwork()) return;
    if (isNetworkAdPage(event.from.pathname) === isNetworkAdPage(event.to.pathname)) return;
    if (event.navigationType === 'replace') replaceDocument(event);
    else event.preventDefault();
  });
}

/** The router would keep a history entry that should be replaced. */
function replaceDocument(event: TransitionBeforePreparationEvent): void {
  event.stopImmediatePropagation();
  event.loader = () => new Promise(() => {});
  location.replace(event.to.href);
}

export function hasAdNetwork(): boolean {
  const ads = document.querySelector<HTMLMetaElement>('meta[name="ads"]')?.content ?? '';
  return ads.split(',').includes('gpt');
}
