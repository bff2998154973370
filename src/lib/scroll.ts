const KEY = 'scroll';

/** Stores the scroll position of a page, for the return after log-in. */
export function rememberScroll(path: string): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ path, y: scrollY }));
  } catch {
    // Storage can be denied; then the page opens at its top.
  }
}

/** Scrolls to the stored position on this page, once. */
export function restoreScroll(path: string): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as { path?: unknown; y?: unknown } | null;
    sessionStorage.removeItem(KEY);
    if (kept?.path === path && typeof kept.y === 'number') scrollTo({ top: kept.y, behavior: 'instant' });
  } catch {
    // Invalid content is ignored.
  }
}
