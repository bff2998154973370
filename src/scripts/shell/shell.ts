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
const replacePictures = () => void import('../pictures.ts').catch(console.warn);
document.addEventListener('error', replacePictures, true);
if ([...document.images].some((picture) => picture.complete && !picture.naturalWidth)) replacePictures();
// A member has changed something a few minutes ago, here or in another tab.
const renewAfterChange = (elsewhere?: Event) => {
  if (!localStorage['changed']) return;
  void import('../../browser/own-changes.ts')
    .then((changes) => changes.renewPages(elsewhere))
    .catch(console.warn);
};
renewAfterChange();
addEventListener('storage', renewAfterChange);
