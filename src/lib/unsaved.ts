const questions = new Set<() => boolean>();
const senders = new Set<() => Promise<void>>();
/** How long a log-out waits for what is being sent. */
const SENDING_MS_MAX = 5_000;

/** Calls `send` before a log-out, for what waits to be sent and cannot be sent afterwards. It never throws. */
export function beforeLogOut(send: () => Promise<void>): void {
  senders.add(send);
}

/** Sends what waits; null if nothing can wait on the pages of this visit. */
export function sendWaiting(): Promise<void> | null {
  if (senders.size === 0) return null;
  const sent = Promise.all([...senders].map((send) => send()));
  const timeout = new Promise((resolve) => setTimeout(resolve, SENDING_MS_MAX));
  return Promise.race([sent, timeout]).then(() => undefined);
}

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
