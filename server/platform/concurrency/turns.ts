import { Busy } from '../limits/limits.ts';

/** Lets a few do something at a time; a few more wait in line, and the rest are told to come back. */
export interface Turns {
  /** Throws `Busy` when too many are waiting. */
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
        // The place goes straight to the next in line; nobody can slip in between.
        const next = waiting.shift();
        if (next) next();
        else underWay -= 1;
      }
    },
  };
}
