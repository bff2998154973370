import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { startScheduledJobs, startSiteJobs } from '#server/platform/concurrency/scheduled-jobs.ts';
import { createLog } from '#server/platform/log.ts';
import { bothDatabases, makeBreakable } from '#support/databases/databases.ts';

test('scheduled jobs run at the start and every hour; a failed one is logged and does not stop the others', async () => {
  vi.useFakeTimers();
  const told: string[] = [];
  const done: string[] = [];
  const log = createLog('info', { write: (line) => void told.push(line) });
  const scheduledJobs = startScheduledJobs(
    [
      { name: 'broken', run: () => Promise.reject(new Error('not today')) },
      { name: 'sweeping', run: async () => void done.push('swept') },
    ],
    log,
  );
  try {
    await vi.advanceTimersByTimeAsync(0);
    expect(done).toHaveLength(1);
    expect(told.join()).toContain('"job":"broken"');
    await vi.advanceTimersByTimeAsync(3_599_999);
    expect(done).toHaveLength(1);
    await vi.advanceTimersByTimeAsync(2);
    expect(done).toHaveLength(2);
    await scheduledJobs.close();
    await vi.advanceTimersByTimeAsync(7_200_000);
    expect(done).toHaveLength(2);
  } finally {
    vi.useRealTimers();
  }
});

describe.each(bothDatabases)('jobs of the site on $name', ({ open }) => {
  const TIMES = { leaseMs: 400, renewMs: 100, lookMs: 50 };
  const log = createLog('silent', { write: () => undefined });

  /** Processes on one database, and which of them ran the jobs. */
  async function startProcesses(names: readonly string[]) {
    const database = await open();
    onTestFinished(() => database.close());
    const runs: string[] = [];
    const processes = names.map((name) => {
      const { state, database: reached } = makeBreakable(database);
      const jobs = ['first', 'second'].map((job) => ({
        name: job,
        run: async () => void runs.push(`${name} ${job}`),
      }));
      const started = startSiteJobs(reached, jobs, log, TIMES);
      onTestFinished(() => started.close());
      return { close: () => started.close(), isolate: () => void (state.isDown = true) };
    });
    return { database, runs, processes };
  }
  const jobsOf = (name: string) => [`${name} first`, `${name} second`];

  test('run once, in one of three processes', async () => {
    const { runs } = await startProcesses(['a', 'b', 'c']);
    await expect.poll(() => runs.length).toBe(2);
    await wait(TIMES.leaseMs * 2);
    expect(runs).toEqual(jobsOf(runs[0]?.[0] ?? ''));
  });

  test('run in another process after the lease of a killed leader', async () => {
    const { runs, processes } = await startProcesses(['a', 'b', 'c']);
    await expect.poll(() => runs.length).toBe(2);
    const leader = runs[0]?.[0] ?? '';
    processes[['a', 'b', 'c'].indexOf(leader)]?.isolate();
    const killedAt = performance.now();
    await expect.poll(() => runs.length, { interval: 10 }).toBe(4);
    // Not before the lease has ended.
    expect(performance.now() - killedAt).toBeGreaterThan(TIMES.leaseMs - TIMES.renewMs - 50);
    expect(runs.slice(2)).toEqual(jobsOf(runs[2]?.[0] ?? ''));
    expect(runs[2]?.[0]).not.toBe(leader);
  });

  test('run at once in the next process after the leader was closed', async () => {
    const { database, runs, processes } = await startProcesses(['a']);
    await expect.poll(() => runs.length).toBe(2);
    await processes[0]?.close();
    const next = startSiteJobs(database, [{ name: 'job', run: async () => void runs.push('next') }], log);
    onTestFinished(() => next.close());
    await expect.poll(() => runs, { timeout: 900 }).toContain('next');
  });

  test('are not started by a leader that cannot renew its lease', async () => {
    const database = await open();
    onTestFinished(() => database.close());
    const { state, database: reached } = makeBreakable(database);
    const runs: string[] = [];
    const slow = { name: 'slow', run: () => wait(TIMES.leaseMs * 2) };
    const after = { name: 'after', run: async () => void runs.push('after') };
    const jobs = startSiteJobs(reached, [slow, after], log, TIMES);
    await wait(50);
    state.isDown = true;
    await wait(TIMES.leaseMs * 3);
    expect(runs).toEqual([]);
    state.isDown = false;
    await jobs.close();
  });
});
