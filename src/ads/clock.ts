import type { AdClock } from './provider.ts';

export const systemClock: AdClock = {
  now: () => Date.now(),
  after(ms, callBack) {
    const timer = setTimeout(callBack, ms);
    return () => clearTimeout(timer);
  },
};

/** Settles after `ms`, or immediately when cancelled. */
export function sleep(clock: AdClock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const cancel = clock.after(ms, resolve);
    signal?.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}

/** Calls back once the page has been visible for `ms` in total; returns the function that cancels it. */
export function afterVisible(clock: AdClock, ms: number, callBack: () => void): () => void {
  let leftMs = ms;
  let shownAt: number | null = null;
  let callOff = () => {};
  const stop = () => {
    callOff();
    document.removeEventListener('visibilitychange', follow);
  };
  function follow(): void {
    callOff();
    if (shownAt !== null) leftMs -= clock.now() - shownAt;
    shownAt = document.visibilityState === 'hidden' ? null : clock.now();
    if (shownAt === null) return;
    callOff = clock.after(Math.max(leftMs, 0), () => {
      stop();
      callBack();
    });
  }
  document.addEventListener('visibilitychange', follow);
  follow();
  return stop;
}
