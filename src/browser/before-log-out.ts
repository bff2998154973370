const senders = new Set<() => Promise<void>>();
/** How long a log-out waits for what is being sent. */
const SENDING_MS_MAX = 5_000;

/** Calls `send` before a log-out, for pending changes that cannot be sent afterwards. It never throws. */
export function beforeLogOut(send: () => Promise<void>): void {
  senders.add(send);
}

/** Sends the pending changes; null if no loaded code can have any. */
export function sendWaiting(): Promise<void> | null {
  if (senders.size === 0) return null;
  const sent = Promise.all([...senders].map((send) => send()));
  const timeout = new Promise((resolve) => setTimeout(resolve, SENDING_MS_MAX));
  return Promise.race([sent, timeout]).then(() => undefined);
}
