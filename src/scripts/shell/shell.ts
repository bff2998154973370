import { watchIslands } from './islands.ts';
import { watchKeys } from './keys.ts';
import { prefetchAhead } from './prefetch.ts';
import { watchLinks } from './router.ts';
import { watchSession } from './session.ts';

if (window.early) window.early.hasShell = true;
watchIslands();
prefetchAhead();
watchKeys();
watchLinks();
watchSession();
// Loads with the first picture that fails, or that has failed.
const mendPictures = () => void import('../pictures.ts').catch(console.warn);
document.addEventListener('error', mendPictures, true);
if ([...document.images].some((picture) => picture.complete && !picture.naturalWidth)) mendPictures();
// A member has changed something a few minutes ago, here or in another tab.
const followChange = (elsewhere?: Event) => {
  if (!localStorage['changed']) return;
  void import('../../browser/own-changes.ts')
    .then((changes) => changes.renewPages(elsewhere))
    .catch(console.warn);
};
followChange();
addEventListener('storage', followChange);
