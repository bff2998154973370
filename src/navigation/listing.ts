/** The page server renders each listing; what differs in it (`data-part`) replaces what is on the page. */

/** Shows another listing from its HTML. */
export function show(html: string): void {
  replaceParts(html, (cards, next) => cards.replaceChildren(...next.childNodes));
}

/** Appends the sounds of a listing, without those already shown, and shows the rest of it. */
export function append(html: string): void {
  replaceParts(html, (cards, next) => {
    const present = new Set([...cards.querySelectorAll('[data-sound]')].map(readId));
    const items = [...next.querySelectorAll('.sound-grid > li')];
    const added = items.filter((item) => !present.has(readId(item.querySelector('[data-sound]'))));
    cards.querySelector('.sound-grid')?.append(...added);
  });
  const count = document.querySelectorAll('#cards [data-sound]').length;
  find('shown-count')?.replaceChildren(`${count}件を表示しています`);
}

/** After this pause in typing, screen readers are told how much was found. */
const PAUSE_MS = 1000;
let announcement: ReturnType<typeof setTimeout> | undefined;

/** Tells the number only when no other list follows: what an unfinished word finds says nothing. */
function announceLater(element: HTMLElement): void {
  clearTimeout(announcement);
  element.ariaLive = 'off';
  announcement = setTimeout(() => {
    element.ariaLive = null;
    element.append(...element.childNodes);
  }, PAUSE_MS);
}

function replaceParts(html: string, replaceCards: (cards: Element, next: Element) => void): void {
  const next = new DOMParser().parseFromString(html, 'text/html').getElementById('listing');
  if (!next) return;
  for (const part of next.querySelectorAll('[data-part]')) {
    const element = find(part.id);
    if (!element) continue;
    if (part.id === 'cards') replaceCards(element, part);
    else element.replaceChildren(...part.childNodes);
    if (part.id === 'result-count') announceLater(element);
  }
  const { url = '' } = next.dataset;
  const canonical = document.querySelector<HTMLLinkElement>('link[rel=canonical]');
  if (canonical) canonical.href = new URL(url, canonical.href).href;
  const feed = document.querySelector<HTMLLinkElement>('link[type="application/atom+xml"]');
  const feedUrl = find('pages')?.querySelector<HTMLAnchorElement>('[href^="/feed"]')?.getAttribute('href');
  if (feed && feedUrl) feed.href = new URL(feedUrl, feed.href).href;
}

/** Returns the element with an id. */
function find<Found extends HTMLElement>(id: string): Found | null {
  return document.getElementById(id) as Found | null;
}

function readId(card: Element | null): string | undefined {
  return card instanceof HTMLElement ? card.dataset['sound'] : undefined;
}
