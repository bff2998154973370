const KEY = 'scroll';

/** Keeps how far down a page was read, for when the visitor comes back to it after logging in. */
export function rememberScroll(path: string): void {
  try {
    sessionStorage.setItem(KEY, JSON.stringify({ path, y: scrollY }));
  } catch {
    // Storage can be forbidden; then they come back to the top.
  }
}

/** Goes to where the visitor was on this page, once. */
export function restoreScroll(path: string): void {
  try {
    const kept = JSON.parse(sessionStorage.getItem(KEY) ?? 'null') as { path?: unknown; y?: unknown } | null;
    sessionStorage.removeItem(KEY);
    if (kept?.path === path && typeof kept.y === 'number') scrollTo({ top: kept.y, behavior: 'instant' });
  } catch {
    // What is not ours counts as nothing.
  }
}
