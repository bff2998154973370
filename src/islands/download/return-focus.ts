/** Returns focus to the previous element; if it is gone, to the start of the main content. */
export function returnFocus(opener: Element | null, options?: FocusOptions): void {
  const isThere =
    opener instanceof HTMLElement && opener !== document.body && opener.getClientRects().length > 0;
  if (isThere) opener.focus(options);
  else document.getElementById('main')?.focus({ preventScroll: true });
}
