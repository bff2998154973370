/** Gives focus back to where it was; when that is gone, to the beginning of what the page is about. */
export function returnFocus(opener: Element | null, options?: FocusOptions): void {
  const isThere =
    opener instanceof HTMLElement && opener !== document.body && opener.getClientRects().length > 0;
  if (isThere) opener.focus(options);
  else document.getElementById('main')?.focus({ preventScroll: true });
}
