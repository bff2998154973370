import { withLock } from '../../browser/locks.ts';

/**
 * Resolves once only this tab handles an upload; the lock is held until `signal` aborts or the page is left. Calls
 * `onOtherTab` while another tab holds it. Rejects when `signal` aborts first. Where the browser has no locks, the host
 * ensures that two tabs do no harm.
 */
export function claimUpload(key: string, signal: AbortSignal, onOtherTab: () => void): Promise<void> {
  const name = `upload:${key}`;
  return new Promise((resolve, reject) => {
    const hold = () => {
      resolve();
      return untilAborted(signal);
    };
    withLock(name, { ifAvailable: true }, (lock) => {
      if (lock !== null) return hold();
      onOtherTab();
      withLock(name, { signal }, hold).catch(reject);
      return undefined;
    }).catch(reject);
  });
}

function untilAborted(signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve(), { once: true });
  });
}
