import { Busy } from '../limits/limits.ts';

/** Limits concurrency. A bounded number of callers wait in a queue; the rest are rejected. */
export interface Semaphore {
  /** Throws `Busy` when the queue is full. */
  run<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createSemaphore(parallelMax: number, waitingMax: number): Semaphore {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return {
    async run(work) {
      if (underWay >= parallelMax) {
        if (waiting.length >= waitingMax) throw new Busy();
        await new Promise<void>((resolve) => waiting.push(resolve));
      } else underWay += 1;
      try {
        return await work();
      } finally {
        // The slot is handed to the next caller directly, so no other caller can take it in between.
        const next = waiting.shift();
        if (next) next();
        else underWay -= 1;
      }
    },
  };
}
