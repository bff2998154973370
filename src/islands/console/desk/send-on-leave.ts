import { onPage } from '../../../browser/page-cache.ts';

/**
 * Calls `send` when the page is left, for requests with `keepalive`. Firefox before 133 has none: there, the browser asks
 * before a page is left while `isWaiting`, and the request is sent during the question. Returns the function that stops this.
 */
export function sendOnLeave(send: () => void, isWaiting: () => boolean): () => void {
  if ('keepalive' in Request.prototype) return onPage('hide', send);
  const ask = (event: Event) => {
    if (!isWaiting()) return;
    event.preventDefault();
    send();
  };
  window.addEventListener('beforeunload', ask);
  return () => window.removeEventListener('beforeunload', ask);
}
