import { isMaintenance } from './fetch-page.ts';

/** The request under way. */
let current = '';

/**
 * A page from the browser's cache may be five minutes old (spec §9). Asks the page server in the background whether what
 * was loaded from `url` is current: during maintenance, and if the page now redirects, the page is reloaded. The reply
 * also renews the cache; an outage changes nothing.
 */
export async function checkPage(url: string): Promise<void> {
  if (url === current) return;
  const { href } = location;
  const loaded = performance.getEntriesByName(url).at(-1) as PerformanceResourceTiming | undefined;
  // A full list accepts no more entries.
  performance.clearResourceTimings();
  // It was just fetched over the network.
  if (loaded?.entryType === 'resource' && loaded.transferSize > 0) return;
  current = url;
  const reply = await fetch(url, { cache: 'no-cache' }).catch(() => null);
  current = '';
  // The visitor may have left the page meanwhile.
  if (!reply || location.href !== href) return;
  if (isMaintenance(reply) || (reply.redirected && leadsElsewhere(reply.url))) location.reload();
}

/** Whether a reply is from another address than that of the page, or of its listing. */
function leadsElsewhere(address: string): boolean {
  const { pathname, search } = new URL(address);
  return (
    search !== location.search || (pathname !== location.pathname && !pathname.startsWith('/fragments/'))
  );
}
