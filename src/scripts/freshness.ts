/** The page being requested. */
let underWay = '';

/**
 * A page from the browser's cache may be five minutes old (spec §9). Asks the page server in the background whether it
 * is current: during maintenance, and if the page now redirects, the page is reloaded. The reply also renews the cache;
 * an outage changes nothing.
 */
export async function checkPage(): Promise<void> {
  const url = toDocumentUrl();
  // This script may load after the next navigation, and is then called for both.
  if (url === underWay) return;
  const loaded = performance.getEntriesByName(url).at(-1) as PerformanceResourceTiming | undefined;
  // A full list accepts no more entries.
  performance.clearResourceTimings();
  // The page was just fetched over the network.
  if (loaded?.entryType === 'resource' && loaded.transferSize > 0) return;
  underWay = url;
  const reply = await fetch(url, { cache: 'no-cache' }).catch(() => null);
  underWay = '';
  // The visitor may have left the page meanwhile.
  if (!reply || toDocumentUrl() !== url) return;
  if (reply.redirected || reply.headers.has('x-maintenance')) location.reload();
}

function toDocumentUrl(): string {
  return location.href.replace(/#.*/, '');
}
