import { setTimeout as wait } from 'node:timers/promises';

/** Work that nobody waits for: it goes on after the call that began it is answered, and ends with the process. */
export interface Afterwork {
  /**
   * Begins it, unless the process is ending. `work` never throws, and comes to an end soon after
   * `ending` is aborted, with nothing left behind. It begins after `delayMs`, or when the process ends.
   */
  start(work: (ending: AbortSignal) => Promise<void>, delayMs?: number): void;
  /** Asks all of it to end, and waits until it has. */
  close(): Promise<void>;
}

export function createAfterwork(): Afterwork {
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
    async close() {
      ending.abort();
      await Promise.all(underWay);
    },
  };
}
