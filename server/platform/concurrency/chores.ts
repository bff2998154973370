import { classifyFailure, isPassing } from '../database/database.ts';
import type { Log } from '../log.ts';

/** Something that has to be done now and then, by any process and safely by several. */
export interface Chore {
  /** For the log. */
  readonly name: string;
  run(): Promise<void>;
}

export interface Chores {
  /** Waits for the one under way. */
  close(): Promise<void>;
}

const EVERY_MS = 60 * 60 * 1000;

/** Does the chores one after the other, now and once an hour. One that fails is told and tried again. */
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
