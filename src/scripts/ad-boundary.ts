import { hasAdNetwork, watchAdBoundary } from '../ads/boundary.ts';
import { followOverlays } from '../islands/overlays/load.ts';
import { isNetworkAdPage } from '../lib/ad-pages.ts';
import { restoreScroll } from '../browser/scroll.ts';
import { applyPendingFavorite } from '../stores/favorites/favorites.ts';

/** Keeps pages with an ad network and pages without one in separate documents; loading it starts it. */
watchAdBoundary();
// The return from log-in is a full load, so the page itself restores the scroll position.
if (hasAdNetwork() && isNetworkAdPage(location.pathname)) {
  restoreScroll(location.pathname + location.search);
  followOverlays();
  applyPendingFavorite();
}
