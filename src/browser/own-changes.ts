/**
 * Browsers show pages from their cache for up to five minutes (spec §9). After a change of their own, members see current
 * pages for that long instead. Loaded with the first change, and by later pages.
 */

const KEY = 'changed';
/** As long as `PAGE_CACHING` of server/web/page-response.ts: a copy from before the change is unusable then. */
const STALE_MS = 300_000;
/** Calls with a member's token that pages do not show, and that are frequent. */
const UNSEEN = /\/(?:toggle-favorite|download|download-intents|plays|missed-searches|uploads)(?:\/|$)/;

/** Records that the host has accepted a change by the member. */
export function recordOwnChange(url: string): void {
  if (UNSEEN.test(url.replace(/\?.*/, ''))) return;
  try {
    localStorage.setItem(KEY, `${Date.now()}`);
  } catch {
    // Storage is full: the pages may be old for some minutes.
  }
  updateCacheMode();
}

/** Has pages and listings fetched anew after a change in any tab, while the browser may have old copies. */
export function updateCacheMode(): void {
  const sinceMs = Date.now() - Number(localStorage.getItem(KEY) ?? 0);
  const isRecent = sinceMs >= 0 && sinceMs < STALE_MS;
  if (!isRecent) localStorage.removeItem(KEY);
  if (window.early) window.early.cache = isRecent ? 'no-cache' : 'default';
  if (isRecent) document.addEventListener('astro:before-preparation', updateCacheMode);
  else document.removeEventListener('astro:before-preparation', updateCacheMode);
}

/**
 * Shows current pages to a member who has just changed something, and reloads one that came from the browser's cache.
 * After a change in another tab, the current page stays.
 */
export function renewPages(elsewhere?: Event): void {
  updateCacheMode();
  if (elsewhere) return;
  const [loaded] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[];
  if (window.early?.cache === 'no-cache' && loaded?.type !== 'reload' && loaded?.transferSize === 0)
    location.reload();
}
