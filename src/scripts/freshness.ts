/** The page that is asked for at the moment. */
let underWay = '';

/**
 * A page out of the browser's cache may be five minutes old (spec §9). Asks the page server behind it whether it
 * still has that page: in maintenance, and where the page now leads elsewhere, the page is loaded again. The reply
 * also renews the cache; an outage changes nothing.
 */
export async function checkPage(): Promise<void> {
  const url = toDocumentUrl();
  // This script may arrive after the next navigation, and is then called for both.
  if (url === underWay) return;
  const loaded = performance.getEntriesByName(url).at(-1) as PerformanceResourceTiming | undefined;
  // A full list would take no more entries.
  performance.clearResourceTimings();
  // Its bytes came over the network just now.
  if (loaded?.entryType === 'resource' && loaded.transferSize > 0) return;
  underWay = url;
  const reply = await fetch(url, { cache: 'no-cache' }).catch(() => null);
  underWay = '';
  // Meanwhile the visitor may have gone on.
  if (!reply || toDocumentUrl() !== url) return;
  if (reply.redirected || reply.headers.has('x-maintenance')) location.reload();
}

function toDocumentUrl(): string {
  return location.href.replace(/#.*/, '');
}
