import { classifyFailure, isPassing } from '../database/database.ts';
import type { Log } from '../log.ts';

/** A periodic task. Any process may run it, and several may run it concurrently. */
export interface Chore {
  /** Used in the log. */
  readonly name: string;
  run(): Promise<void>;
}

export interface Chores {
  /** Waits for the running chore. */
  close(): Promise<void>;
}

const EVERY_MS = 60 * 60 * 1000;

/**
 * Runs the chores one after the other, now and every hour. A failure is logged, and the chore runs again the next time.
 */
export function startChores(chores: readonly Chore[], log: Log, everyMs = EVERY_MS): Chores {
  let underWay = runAll();
  async function runAll(): Promise<void> {
    for (const { name, run } of chores) {
      await run().catch((error: unknown) => {
        const failure = classifyFailure(error);
        log[isPassing(failure) ? 'warn' : 'error']({ err: error, failure, chore: name }, 'a chore failed');
      });
    }
  }
  const timer = setInterval(() => {
    underWay = underWay.then(runAll);
  }, everyMs);
  timer.unref();
  return {
    async close() {
      clearInterval(timer);
      await underWay;
    },
  };
}
