import { hasAdNetwork, watchAdBoundary } from '../ads/boundary.ts';
import { followOverlays } from '../islands/overlays/load.ts';
import { isNetworkAdPage } from '../lib/ad-pages.ts';
import { restoreScroll } from '../lib/scroll.ts';
import { grantWish } from '../stores/favorites/favorites.ts';

/** Keeps pages with an ad network and pages without one in documents of their own; it begins by being loaded. */
watchAdBoundary();
// Who comes back from logging in comes by a full load, so the page itself has to go where they were.
if (hasAdNetwork() && isNetworkAdPage(location.pathname)) {
  restoreScroll(location.pathname + location.search);
  followOverlays();
  grantWish();
}
