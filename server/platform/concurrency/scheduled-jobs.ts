import { classifyFailure, isTransient } from '../database/database.ts';
import type { Log } from '../log.ts';

/** A periodic task. Any process may run it, and several may run it concurrently. */
export interface ScheduledJob {
  /** Used in the log. */
  readonly name: string;
  run(): Promise<void>;
}

export interface ScheduledJobs {
  /** Waits for the running job. */
  close(): Promise<void>;
}

const EVERY_MS = 60 * 60 * 1000;

/**
 * Runs the jobs one after the other, now and every hour. A failure is logged, and the job runs again the next time.
 */
export function startScheduledJobs(
  jobs: readonly ScheduledJob[],
  log: Log,
  everyMs = EVERY_MS,
): ScheduledJobs {
  let underWay = runAll();
  async function runAll(): Promise<void> {
    for (const { name, run } of jobs) {
      await run().catch((error: unknown) => {
        const failure = classifyFailure(error);
        log[isTransient(failure) ? 'warn' : 'error'](
          { err: error, failure, job: name },
          'a scheduled job failed',
        );
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
