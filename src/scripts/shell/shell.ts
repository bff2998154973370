import { watchIslands } from './islands.ts';
import { keepPlace } from './keep-place.ts';
import { watchKeys } from './keys.ts';
import { prefetchAhead } from './prefetch.ts';
import { watchNavigation } from './progress.ts';
import { announcePage, watchLinks } from './router.ts';
import { watchSession } from './session.ts';

if (window.early) window.early.onStart = announcePage;
watchIslands();
keepPlace();
prefetchAhead();
watchNavigation();
watchKeys();
watchLinks();
watchSession();
// Loads with the first picture that fails, or that has failed.
const mendPictures = () => void import('../pictures.ts').catch(console.warn);
document.addEventListener('error', mendPictures, true);
if ([...document.images].some((picture) => picture.complete && !picture.naturalWidth)) mendPictures();
// For a page in the same document, its pictures follow at once, and Chromium may take a larger file that it already has for
// one of them, but not for its preload.
document.addEventListener('astro:before-swap', ({ newDocument }) => {
  for (const preload of newDocument.querySelectorAll('link[as=image]')) preload.remove();
});
// A member has changed something a few minutes ago, here or in another tab.
const followChange = (elsewhere?: Event) => {
  if (!localStorage['changed']) return;
  void import('../../browser/own-changes.ts')
    .then((changes) => changes.renewPages(elsewhere))
    .catch(console.warn);
};
followChange();
addEventListener('storage', followChange);
// Not on the first page, whose state is set without this script.
document.addEventListener('astro:after-swap', () => {
  const { href } = location;
  void import('../freshness.ts').then((freshness) => freshness.checkPage(href)).catch(console.warn);
});
