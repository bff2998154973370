/**
 * What screen readers hear of a navigation. Astro's router adds an element for that after `astro:page-load`, and fills
 * it with the title 60 ms later. The plain screens all have the site's name as their title, so the heading replaces it.
 */
const SELECTOR = '.astro-route-announcer';
const AFTER_ASTRO_MS = 80;

/** Announces the navigation that is being shown by its heading, or not at all: a list has its own live region. */
export function announceNavigation(isSilent: boolean): void {
  // In a page that stays, the router adds one with each navigation.
  document.querySelector(SELECTOR)?.remove();
  const follow = () => {
    if (isSilent) setTimeout(() => document.querySelector(SELECTOR)?.remove());
    else setTimeout(announceHeading, AFTER_ASTRO_MS);
  };
  document.addEventListener('astro:page-load', follow, { once: true });
}

function announceHeading(): void {
  const announcer = document.querySelector(SELECTOR);
  const heading = document.querySelector('main h1')?.textContent;
  if (announcer && heading) announcer.textContent = heading;
}
