/**
 * Asks before a page with unsaved words is left, by link, by address or by closing the tab. The router
 * is told to leave the way to the browser, which asks in its own words; returns how to stop asking.
 */
export function guardUnsaved(hasUnsaved: () => boolean): () => void {
  const guard = (event: Event) => {
    if (hasUnsaved()) event.preventDefault();
  };
  window.addEventListener('beforeunload', guard);
  document.addEventListener('astro:before-preparation', guard);
  return () => {
    window.removeEventListener('beforeunload', guard);
    document.removeEventListener('astro:before-preparation', guard);
  };
}
