import {
  type TransitionBeforePreparationEvent,
  type TransitionBeforeSwapEvent,
  navigate,
} from 'astro:transitions/client';
import { onPage } from '../browser/page-cache.ts';
import { toFailureText } from '../lib/failure-texts.ts';
import { isFragment } from '../lib/listing-fragment.ts';
import { announceNavigation } from '../astro/announcer.ts';
import { fetchPage, isMaintenance } from './fetch-page.ts';
import { append, show } from './listing.ts';
import { type Delay, showBusy, showDelay, showDone, showFailure } from './notice.ts';
import { keepPlace, rememberPlace, watchSearchBox } from './place.ts';
import { type NavigationInfo, type Task, toRequestUrl, toTask } from './tasks.ts';

/**
 * The one way through the site: links, forms, filters, searches, もっと見る, Back and Forward are navigations of Astro's
 * router, which this module gives their loading, their notices, and what they do to focus, position and screen readers.
 * It comes with the router (`src/scripts/shell/router.ts`). Only what Astro documents is used here.
 */

export type { NavigationInfo };

/** A call that has no answer after this time is announced as slow. */
const SLOW_MS = 2000;

interface Pending {
  readonly href: string;
  readonly task: Task;
  isFailed: boolean;
  /** Begins another attempt at once. */
  retry(): void;
  /** Gives the navigation up; the router waits for it until the next one. */
  cancel(): void;
}

/** What a navigation has loaded, from where. */
interface Arrival {
  readonly signal: AbortSignal;
  readonly task: Task;
  readonly html: string;
  readonly url: string;
}

/** The navigation that is under way or has failed. */
let pending: Pending | null = null;
/** What arrives with the current navigation. */
let arrival: Arrival | null = null;

export interface NavigateOptions {
  readonly history?: 'push' | 'replace';
  readonly info?: NavigationInfo;
}

/** See `navigate`. */
export async function goTo(href: string, options: NavigateOptions = {}): Promise<void> {
  watchNavigations();
  await navigate(href, options);
}

/** Whether a navigation to this address is under way. One that has failed is tried again. */
export function resumeNavigation(href: string): boolean {
  if (pending?.href !== new URL(href, location.href).href) return false;
  const { isFailed, retry } = pending;
  if (isFailed) retry();
  return true;
}

/** Gives up a search that is under way or has failed. */
export function cancelSearch(): void {
  if (pending?.task === 'search') pending.cancel();
}

let isWatching = false;

/** Takes part in all navigations from now on. */
export function watchNavigations(): void {
  if (isWatching) return;
  isWatching = true;
  document.addEventListener('astro:before-preparation', takeOver);
  document.addEventListener('astro:before-swap', showArrival);
  watchSearchBox();
  onPage('show', () => showDone(null));
}

function takeOver(event: TransitionBeforePreparationEvent): void {
  // A form with a body is sent once.
  if (event.formData) return;
  const task = toTask(event);
  event.loader = () => {
    rememberPlace(task, event);
    return load(event, task);
  };
}

function showArrival(event: TransitionBeforeSwapEvent): void {
  if (arrival?.signal !== event.signal) return;
  const { task, html, url } = arrival;
  keepPlace(task, event);
  announceNavigation(task === 'more' || task === 'search');
  if (task !== 'page') event.swap = () => showListing(task, html, event.to);
  const checkFreshness = () =>
    void import('./freshness.ts').then((freshness) => freshness.checkPage(url)).catch(console.warn);
  document.addEventListener('astro:after-swap', checkFreshness, { once: true });
}

/** Loads what a navigation shows. Settles when that is there, or when another navigation begins. */
function load(event: TransitionBeforePreparationEvent, task: Task): Promise<void> {
  return new Promise((resolve) => {
    let call = new AbortController();
    const self: Pending = { href: event.to.href, task, isFailed: false, retry: start, cancel };

    function cancel(): void {
      call.abort();
      removeEventListener('online', start);
      if (pending !== self) return;
      pending = null;
      showDone(task);
    }

    function end(): void {
      cancel();
      resolve();
    }

    function start(): void {
      void attempt();
    }

    async function attempt(): Promise<void> {
      call.abort();
      call = new AbortController();
      const { signal } = call;
      self.isFailed = false;
      showBusy(task);
      const slow = setTimeout(tellDelay, SLOW_MS, 'slow' satisfies Delay);
      function tellDelay(delay: Delay): void {
        clearTimeout(slow);
        if (!signal.aborted) showDelay(task, delay, start);
      }
      const url = toRequestUrl(task, event.to);
      const reply = await fetchPage(url, {
        signal,
        hasFailed: (each) => task !== 'page' && each.status >= 500 && !isMaintenance(each),
        onRetry: () => tellDelay('retrying'),
      }).catch(() => null);
      const html = (await reply?.text().catch(() => null)) ?? null;
      clearTimeout(slow);
      if (signal.aborted) return;
      const accepted = reply && html !== null && accept(event, task, reply, html);
      if (accepted) {
        arrival = { signal: event.signal, task: accepted, html, url };
        return end();
      }
      self.isFailed = true;
      addEventListener('online', start, { once: true });
      showFailure(task, toText(html === null ? null : reply), start);
    }

    pending = self;
    event.signal.addEventListener('abort', end);
    start();
  });
}

/** Gives the router what has arrived. Returns what it is; null if it is nothing that this site would answer. */
function accept(
  event: TransitionBeforePreparationEvent,
  task: Task,
  reply: Response,
  html: string,
): Task | null {
  if (task !== 'page' && isFragment(html)) {
    if (reply.redirected) event.to = new URL(`/sounds${new URL(reply.url).search}`, event.to);
    return task;
  }
  if (task !== 'page' && !isMaintenance(reply)) return null;
  const page = new DOMParser().parseFromString(html, 'text/html');
  // The browser shows what is no page of this site.
  if (page.getElementById('main') === null) event.preventDefault();
  // With script on, browsers do not show what is in them. A page in the same document loads its pictures at once, and
  // Chromium may take a larger file that it already has for one of them, but not for its preload.
  for (const element of page.querySelectorAll('noscript, link[as=image]')) element.remove();
  event.newDocument = page;
  if (task === 'page' && reply.redirected) event.to = new URL(reply.url);
  return 'page';
}

/** Why nothing can be shown. `reply` is not what was asked for, or null where none came. */
function toText(reply: Response | null): string {
  const { status = 0, ok: isOk, headers } = reply ?? {};
  const retryAfterSec = Number(headers?.get('retry-after')) || undefined;
  return toFailureText({ status, retryAfterSec, isBroken: isOk === true || status >= 500 });
}

function showListing(task: Exclude<Task, 'page'>, html: string, to: URL): void {
  if (task === 'more') append(html);
  else show(html);
  // Typing has gone on meanwhile.
  const box = task === 'listing' ? document.querySelector<HTMLInputElement>('#search') : null;
  if (box) box.value = to.searchParams.get('search') ?? '';
}
