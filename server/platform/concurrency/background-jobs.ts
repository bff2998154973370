import { setTimeout as wait } from 'node:timers/promises';
import type { Log } from '../log.ts';

/** Background work that continues after its request is answered and ends with the process. */
export interface BackgroundJobs {
  /**
   * Starts `work` after `delayMs`, or when the process shuts down. Does nothing if the process is already shutting
   * down. `work` must not throw, and must end soon after `ending` is aborted without leaving anything behind.
   */
  start(work: (ending: AbortSignal) => Promise<void>, delayMs?: number): void;
  /** The number of jobs that wait for their delay or run. */
  count(): number;
  /** Aborts all work and waits until it has ended. */
  close(): Promise<void>;
}

export function createBackgroundJobs(): BackgroundJobs {
  const ending = new AbortController();
  const underWay = new Set<Promise<void>>();
  return {
    start(work, delayMs) {
      const { signal } = ending;
      if (signal.aborted) return;
      const begun =
        delayMs === undefined
          ? work(signal)
          : wait(delayMs, undefined, { signal })
              .catch(() => undefined)
              .then(() => work(signal));
      const done = begun.finally(() => underWay.delete(done));
      underWay.add(done);
    },
    count: () => underWay.size,
    async close() {
      ending.abort();
      await Promise.all(underWay);
    },
  };
}

interface Repetition {
  readonly everyMs: number;
  readonly afterFailureMs: number;
  /** The log message of a failure. */
  readonly failure: string;
}

/**
 * Starts `work` as a background job every `everyMs`, unless it still runs or has failed less than `afterFailureMs` ago.
 * Returns a function that starts no more.
 */
export function repeatInBackground(
  { backgroundJobs, logger }: { readonly backgroundJobs: BackgroundJobs; readonly logger: Log },
  { everyMs, afterFailureMs, failure }: Repetition,
  work: (ending: AbortSignal) => Promise<unknown>,
): () => void {
  let isRunning = false;
  let pausedUntil = 0;
  const timer = setInterval(() => {
    if (isRunning || performance.now() < pausedUntil) return;
    isRunning = true;
    backgroundJobs.start(async (ending) => {
      try {
        await work(ending);
      } catch (error) {
        pausedUntil = performance.now() + afterFailureMs;
        logger.warn({ err: error }, failure);
      }
      isRunning = false;
    });
  }, everyMs);
  timer.unref();
  return () => clearInterval(timer);
}
