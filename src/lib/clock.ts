/** Time and timers; tests replace them. */
export interface Clock {
  now(): number;
  /** Calls back once after `ms`; returns the function that cancels it. */
  after(ms: number, callBack: () => void): () => void;
}

export const systemClock: Clock = {
  now: () => Date.now(),
  after(ms, callBack) {
    const timer = setTimeout(callBack, ms);
    return () => clearTimeout(timer);
  },
};

/** Settles after `ms`, or immediately when cancelled. */
export function sleep(clock: Clock, ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const cancel = clock.after(ms, resolve);
    signal?.addEventListener('abort', () => {
      cancel();
      resolve();
    });
  });
}
