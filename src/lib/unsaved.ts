const questions = new Set<() => boolean>();

/** Whether something on this page would be lost, as what guards it says. */
export function hasUnsaved(): boolean {
  return [...questions].some((isUnsaved) => isUnsaved());
}

/**
 * Asks before a page with unsaved words is left, by link, by address or by closing the tab. The router
 * is told to leave the way to the browser, which asks in its own words; returns how to stop asking.
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
