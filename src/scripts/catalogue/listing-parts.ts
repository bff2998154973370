import type { TransitionBeforePreparationEvent } from 'astro:transitions/client';
import { CARDS_CHANGE } from '../../lib/fragments.ts';
import { isFragment } from '../../lib/listing-fragment.ts';

/**
 * The page server renders each listing; this script puts the parts that differ (`data-part`) into the page: for the
 * router's navigations from one listing to another, and for `listing.ts`.
 */

/** The listing that the router's current navigation leads to. */
let arriving: { readonly signal: AbortSignal; readonly html: string } | null = null;

/** Shows the listing of a navigation in place of its page; `loadPage` loads the page if there is no listing. */
export async function replaceListing(
  { signal }: TransitionBeforePreparationEvent,
  listing: Promise<Response | null>,
  loadPage: () => Promise<void>,
): Promise<void> {
  const reply = await listing;
  const isListing = reply?.ok === true && !reply.redirected;
  const html = isListing ? await reply.text().catch(() => null) : null;
  if (!isFragment(html)) return loadPage();
  arriving = { signal, html };
}

document.addEventListener('astro:before-swap', (event) => {
  if (!arriving || arriving.signal !== event.signal) return;
  const { html } = arriving;
  arriving = null;
  event.swap = () => {
    // The router adds one with each navigation.
    document.querySelector('.astro-route-announcer')?.remove();
    show(html);
    const box = find<HTMLInputElement>('search');
    if (box) box.value = event.to.searchParams.get('search') ?? '';
  };
});

/** Shows another listing from its HTML. */
export function show(html: string): void {
  replaceParts(html, (cards, next) => cards.replaceChildren(...next.childNodes));
}

/** Appends the sounds of a listing, without those already shown, and shows the rest of it. */
export function append(html: string): void {
  replaceParts(html, (cards, next) => {
    const known = new Set([...cards.querySelectorAll('[data-sound]')].map(readId));
    const items = [...next.querySelectorAll('.sound-grid > li')];
    const added = items.filter((item) => !known.has(readId(item.querySelector('[data-sound]'))));
    cards.querySelector('.sound-grid')?.append(...added);
  });
  const count = document.querySelectorAll('#cards [data-sound]').length;
  find('shown-count')?.replaceChildren(`${count}件を表示しています`);
}

/** After this pause in typing, screen readers are told how much was found. */
const PAUSE_MS = 1000;
let announcement: ReturnType<typeof setTimeout> | undefined;

/** Tells the number only when no other list follows: what an unfinished word finds says nothing. */
function announceLater(place: HTMLElement): void {
  clearTimeout(announcement);
  place.ariaLive = 'off';
  announcement = setTimeout(() => {
    place.ariaLive = null;
    place.append(...place.childNodes);
  }, PAUSE_MS);
}

/** Focus stays where it is, or on the new element with the same id. */
function replaceParts(html: string, replaceCards: (cards: Element, next: Element) => void): void {
  const next = new DOMParser().parseFromString(html, 'text/html').getElementById('listing');
  const shown = find('listing');
  if (!next || !shown) return;
  const focused = document.activeElement;
  for (const part of next.querySelectorAll('[data-part]')) {
    const place = find(part.id);
    if (!place) continue;
    if (part.id === 'cards') replaceCards(place, part);
    else replaceChildren(place, part);
    if (part.id === 'result-count') announceLater(place);
  }
  const { url = '' } = next.dataset;
  shown.dataset['url'] = url;
  const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]');
  if (canonical) canonical.href = new URL(url, canonical.href).href;
  const feed = document.querySelector<HTMLLinkElement>('link[type="application/atom+xml"]');
  const feedUrl = find('pages')?.querySelector<HTMLAnchorElement>('[href^="/feed"]')?.getAttribute('href');
  if (feed && feedUrl) feed.href = new URL(feedUrl, feed.href).href;
  if (focused?.id && !focused.isConnected) {
    const successor = find(focused.id);
    // The note at the end of the list comes after the new sounds.
    successor?.focus({ preventScroll: successor.tabIndex >= 0 });
  }
  document.dispatchEvent(new Event(CARDS_CHANGE));
}

/** What was unfolded stays so, for the next choice. */
function replaceChildren(place: Element, part: Element): void {
  const unfolded = [...place.querySelectorAll('[open] > summary')].map(({ id }) => id);
  place.replaceChildren(...part.childNodes);
  for (const id of unfolded) find(id)?.parentElement?.setAttribute('open', '');
}

/** Returns the element with an id. */
export function find<Found extends HTMLElement>(id: string): Found | null {
  return document.getElementById(id) as Found | null;
}

function readId(card: Element | null): string | undefined {
  return card instanceof HTMLElement ? card.dataset['sound'] : undefined;
}
