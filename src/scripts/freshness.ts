import { isListing, toFragmentUrl } from '../lib/fragments.ts';

/** The page being requested. */
let underWay = '';

/**
 * A page from the browser's cache may be five minutes old (spec §9). Asks the page server in the background whether it
 * is current: during maintenance, and if the page now redirects, the page is reloaded. The reply also renews the cache;
 * an outage changes nothing. `page` is the address for which this script was loaded.
 */
export async function checkPage(page: string): Promise<void> {
  const shown = toDocumentUrl();
  // Loaded after the next navigation, which has its own check.
  if (toDocumentUrl(page) !== shown) return;
  const names = isListing(location) ? [shown, new URL(toFragmentUrl(location), shown).href] : [shown];
  if (shown === underWay) return;
  const loaded = names
    .flatMap((name) => performance.getEntriesByName(name) as PerformanceResourceTiming[])
    .toSorted((one, other) => one.startTime - other.startTime)
    .at(-1);
  // A full list accepts no more entries.
  performance.clearResourceTimings();
  // The page was just fetched over the network.
  if (loaded?.entryType === 'resource' && loaded.transferSize > 0) return;
  underWay = shown;
  // A listing may have come as a fragment.
  const reply = await fetch(loaded?.name ?? shown, { cache: 'no-cache' }).catch(() => null);
  underWay = '';
  // The visitor may have left the page meanwhile.
  if (!reply || toDocumentUrl() !== shown) return;
  if (reply.redirected || reply.headers.has('x-maintenance')) location.reload();
}

function toDocumentUrl(url = location.href): string {
  return url.replace(/#.*/, '');
}
