import { readStored, writeStored } from './stored.ts';

const KEY = 'scroll';

/** Stores the scroll position of a page, for the return after log-in. */
export function rememberScroll(path: string): void {
  writeStored(KEY, { path, y: scrollY }, 'sessionStorage');
}

/** Scrolls to the stored position on this page, once. */
export function restoreScroll(path: string): void {
  const saved = readStored(KEY, toPosition, 'sessionStorage');
  writeStored(KEY, null, 'sessionStorage');
  if (saved.path === path && typeof saved.y === 'number') scrollTo({ top: saved.y, behavior: 'instant' });
}

function toPosition(stored: unknown): { readonly path?: unknown; readonly y?: unknown } {
  return stored ?? {};
}
