const questions = new Set<() => boolean>();

/** Whether anything on this page would be lost, according to the registered guards. */
export function hasUnsaved(): boolean {
  return [...questions].some((isUnsaved) => isUnsaved());
}

/**
 * Asks before a page with unsaved text is left, by link, by address or by closing the tab. The router leaves the
 * navigation to the browser, which asks in its own words. Returns the function that stops this.
 */
export function guardUnsaved(isUnsaved: () => boolean): () => void {
  const guard = (event: Event) => {
    if (isUnsaved()) event.preventDefault();
  };
  questions.add(isUnsaved);
  window.addEventListener('beforeunload', guard);
  document.addEventListener('astro:before-preparation', guard);
  return () => {
    questions.delete(isUnsaved);
    window.removeEventListener('beforeunload', guard);
    document.removeEventListener('astro:before-preparation', guard);
  };
}
