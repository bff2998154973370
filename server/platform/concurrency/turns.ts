import { Busy } from '../limits/limits.ts';

/** Limits concurrency. A bounded number of callers wait in a queue; the rest are rejected. */
export interface Turns {
  /** Throws `Busy` when the queue is full. */
  take<Result>(work: () => Promise<Result>): Promise<Result>;
}

export function createTurns(parallelMax: number, waitingMax: number): Turns {
  const waiting: (() => void)[] = [];
  let underWay = 0;
  return {
    async take(work) {
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
