import { PLACE_WANTED, rememberPlace, takePlace, toPlace } from '../lib/places.ts';

/** On the way to a place of /profile; whoever goes elsewhere no longer wants it. */
const ON_THE_WAY = /^\/(profile|login|register|forgot-password|reset-password)(\/|$)/;

/**
 * Has a link with `data-place` lead to that place of its page. The link itself keeps its plain address
 * (spec §2: the upload button links to /profile), which is what another tab opens.
 */
export function watchPlaces(): void {
  const onClick = (event: MouseEvent) => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    const link = (event.target as Element).closest<HTMLElement>('a[data-place]');
    const place = toPlace(link?.dataset['place']);
    if (place === null) return;
    const isElsewhere = document.dispatchEvent(
      new CustomEvent(PLACE_WANTED, { cancelable: true, detail: place }),
    );
    if (isElsewhere) rememberPlace(place);
    else event.preventDefault();
  };
  // Before the router, which would load the page once more.
  document.addEventListener('click', onClick, { capture: true });
  document.addEventListener('astro:page-load', () => {
    if (!ON_THE_WAY.test(location.pathname)) takePlace();
  });
}
