/**
 * Preserves focus and panels when a press on a filter replaces the page: focus stays on the link with the same id, and
 * an opened panel stays open. A new page is announced by its heading, since the plain screens all have the site's name
 * as their title.
 */
export function keepPlace(): void {
  let focusedId = '';
  let openIds: string[] = [];
  document.addEventListener('astro:before-swap', () => {
    focusedId = document.activeElement?.id ?? '';
    openIds = [...document.querySelectorAll('details[id][open]')].map(({ id }) => id);
  });
  document.addEventListener('astro:after-swap', () => {
    for (const id of openIds) document.getElementById(id)?.setAttribute('open', '');
    // Without one, no element has this id.
    document.getElementById(focusedId)?.focus({ preventScroll: true });
  });
  document.addEventListener('astro:page-load', () => {
    // After the router's own announcement, which follows in 60 ms.
    setTimeout(() => {
      const announcer = document.querySelector('.astro-route-announcer');
      const heading = document.querySelector('main h1')?.textContent;
      if (announcer && heading) announcer.textContent = heading;
    }, 80);
  });
}
