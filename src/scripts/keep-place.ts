/**
 * Moves focus along a skip link without the router: it compares addresses to tell a link within the page,
 * and the listing's address changes without it.
 */
export function followSkipLinks(): void {
  const follow = (event: MouseEvent) => {
    const link = (event.target as Element).closest<HTMLAnchorElement>('.skip-link');
    const target = link && document.querySelector<HTMLElement>(link.hash);
    if (!target) return;
    event.preventDefault();
    target.focus();
    target.scrollIntoView();
  };
  document.addEventListener('click', follow, true);
}

/**
 * Keeps people where they were when a press on a filter replaces the page: focus stays on the link
 * with the same id, an opened panel stays open. And a new page is announced by its heading, since
 * the plain screens all have the site's name as their title.
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
    if (focusedId) document.getElementById(focusedId)?.focus({ preventScroll: true });
  });
  document.addEventListener('astro:page-load', () => {
    // After the router's own announcement, which it makes 60 ms from now.
    setTimeout(() => {
      const announcer = document.querySelector('.astro-route-announcer');
      const heading = document.querySelector('main h1')?.textContent;
      if (announcer && heading) announcer.textContent = heading;
    }, 80);
  });
}
