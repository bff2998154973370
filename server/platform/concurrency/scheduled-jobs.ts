import { HOUR_MS } from '../../../contract/values/time-units.ts';
import { classifyFailure, isTransient } from '../database/drivers/failure.ts';
import { randomId } from '../database/statements/random-id.ts';
import type { Database } from '../database/open.ts';
import type { Log } from '../log.ts';
import { endLease, isLeaseFree, takeLease } from './leases.ts';

/** A periodic task. Any process may run it, and several may run it concurrently. */
export interface ScheduledJob {
  /** Used in the log. */
  readonly name: string;
  /** For work on what each process or machine has of its own. Other jobs run in one process of the site. */
  readonly isPerProcess?: true;
  run(): Promise<void>;
}

export interface ScheduledJobs {
  /** Waits for the running job. */
  close(): Promise<void>;
}

const EVERY_MS = HOUR_MS;

/**
 * Runs the jobs one after the other, now and every hour, as long as `mayStart`. A failure is logged, and the job runs
 * again the next time.
 */
export function startScheduledJobs(
  jobs: readonly ScheduledJob[],
  log: Log,
  everyMs = EVERY_MS,
  mayStart: () => boolean = () => true,
): ScheduledJobs {
  let underWay = runAll();
  async function runAll(): Promise<void> {
    for (const { name, run } of jobs) {
      if (!mayStart()) return;
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

export interface LeaderTimes {
  /** How long the lease of a leader lasts without renewal. */
  readonly leaseMs: number;
  readonly renewMs: number;
  /** How often the other processes check whether there is a leader. */
  readonly lookMs: number;
}

/** Another process leads 30 s after the leader was killed at the latest. */
const LEADER_TIMES: LeaderTimes = { leaseMs: 25_000, renewMs: 10_000, lookMs: 5_000 };
const LEADER = 'leader';

/**
 * Runs the jobs in one of all processes that call this on the same database: the leader, which holds a lease. They run
 * when a process becomes the leader, and every hour. Jobs of two leaders can overlap for a moment, so they must be safe
 * then; a leader whose lease has ended starts no more. `close` ends the lease, so that another process, or the next
 * one, leads at once.
 */
export function startSiteJobs(
  database: Pick<Database, 'db' | 'dialect'>,
  jobs: readonly ScheduledJob[],
  log: Log,
  { leaseMs, renewMs, lookMs }: LeaderTimes = LEADER_TIMES,
): ScheduledJobs {
  const holder = randomId();
  /** By `performance.now`; counted from before the question, so that the lease never ends earlier in the database. */
  let leadsUntil = -Infinity;
  let running: ScheduledJobs | undefined;
  let ended: Promise<void> = Promise.resolve();
  let timer: NodeJS.Timeout | undefined;
  let isClosed = false;
  const isLeading = () => performance.now() < leadsUntil;

  function stop(): void {
    ended = Promise.all([ended, running?.close()]).then(() => undefined);
    running = undefined;
  }

  async function look(): Promise<void> {
    const requestedAt = performance.now();
    if (running === undefined && !(await isLeaseFree(database, LEADER))) return;
    const isOurs = await takeLease(database, LEADER, holder, leaseMs);
    leadsUntil = isOurs ? requestedAt + leaseMs : -Infinity;
    if (!isOurs && running !== undefined) stop();
    if (isOurs && running === undefined && !isClosed) {
      log.info('this process runs the scheduled jobs of the site');
      running = startScheduledJobs(jobs, log, EVERY_MS, isLeading);
    }
  }

  let looking = lookAgain();
  async function lookAgain(): Promise<void> {
    try {
      await look();
    } catch {
      // The database is down, which requests report. Until it answers, nobody leads longer than the lease.
      if (running !== undefined && !isLeading()) stop();
    }
    if (isClosed) return;
    timer = setTimeout(() => (looking = lookAgain()), running === undefined ? lookMs : renewMs);
    timer.unref();
  }

  return {
    async close() {
      isClosed = true;
      await looking;
      clearTimeout(timer);
      stop();
      await ended;
      await endLease(database, LEADER, holder).catch(() => undefined); // It ends by itself.
    },
  };
}
