import { expect, test } from 'vitest';
import { createBackgroundJobs } from '../../../../server/platform/concurrency/background-jobs.ts';

test('delayed work starts at once on shutdown, and is awaited', async () => {
  const backgroundJobs = createBackgroundJobs();
  let isDone = false;
  backgroundJobs.start(async (ending) => {
    expect(ending.aborted).toBe(true);
    await Promise.resolve();
    isDone = true;
  }, 3_600_000);
  expect(isDone).toBe(false);
  await backgroundJobs.close();
  expect(isDone).toBe(true);
});
