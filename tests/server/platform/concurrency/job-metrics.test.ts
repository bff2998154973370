import { expect, test } from 'vitest';
import { observeJobs } from '#server/platform/concurrency/job-metrics.ts';

test('a job reports when it began and ended, how long it took, and how often it failed', async () => {
  let nowMs = 1_000_000;
  let isBroken = false;
  const job = {
    name: 'sweeping',
    async run() {
      nowMs += 2_500;
      if (isBroken) throw new Error('no');
    },
  };
  const { jobs, source } = observeJobs([job, { name: 'never', run: () => Promise.resolve() }], () => nowMs);
  await jobs[0]?.run();
  isBroken = true;
  await expect(jobs[0]?.run()).rejects.toThrow('no');
  expect(await source.read()).toEqual({
    site_job_started_timestamp_seconds: { sweeping: 1_002.5, never: 0 },
    site_job_finished_timestamp_seconds: { sweeping: 1_005, never: 0 },
    site_job_duration_seconds: { sweeping: 2.5, never: 0 },
    site_job_failures_total: { sweeping: 1, never: 0 },
  });
});
