/**
 * Browsers freeze a page that is left, and show it again on Back or Forward (the back/forward cache). Its media are silent
 * by then, its requests have failed, and other pages may have changed what is stored.
 * `tests/project/page-cache.test.ts` lists what reacts to that, and checks that it does so through this file.
 *
 * Calls `act` when the page is left (`hide`: closed, replaced or frozen), or when it is shown again after it was frozen
 * (`show`). Returns the function that stops this.
 */
export function onPage(event: 'hide' | 'show', act: () => void): () => void {
  const listener = ({ persisted }: PageTransitionEvent) => {
    if (persisted || event === 'hide') act();
  };
  addEventListener(`page${event}`, listener);
  return () => removeEventListener(`page${event}`, listener);
}
