/**
 * Resolves once only this tab handles an upload; the lock is held until `life` ends or the tab closes. Calls
 * `onOtherTab` while another tab holds it. Rejects when `life` ends first. Web Locks exist only in secure contexts;
 * without them, or if a browser denies them, the host ensures that two tabs do no harm.
 */
export function claimUpload(key: string, signal: AbortSignal, onOtherTab: () => void): Promise<void> {
  if (!('locks' in navigator)) return Promise.resolve();
  const name = `upload:${key}`;
  return new Promise((resolve, reject) => {
    const hold = () => {
      resolve();
      return untilAborted(signal);
    };
    const settle = () => (signal.aborted ? reject(signal.reason as Error) : resolve());
    const claimIfFree = (lock: Lock | null) => {
      if (lock !== null) return hold();
      onOtherTab();
      void navigator.locks.request(name, { signal }, hold).catch(settle);
      return undefined;
    };
    void navigator.locks.request(name, { ifAvailable: true }, claimIfFree).catch(settle);
  });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
