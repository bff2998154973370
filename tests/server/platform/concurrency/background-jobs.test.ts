import { pino } from 'pino';
import { expect, onTestFinished, test, vi } from 'vitest';
import { createBackgroundJobs, repeatInBackground } from '#server/platform/concurrency/background-jobs.ts';

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

test('repeated work never overlaps, pauses after a failure, and stops', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const lines: string[] = [];
  const logger = pino({ level: 'warn' }, { write: (line) => lines.push(line) });
  const times = { everyMs: 10, afterFailureMs: 35, failure: 'failed to count' };
  const runs: PromiseWithResolvers<void>[] = [];
  const stop = repeatInBackground({ backgroundJobs: createBackgroundJobs(), logger }, times, () => {
    const run = Promise.withResolvers<void>();
    runs.push(run);
    return run.promise;
  });
  await vi.advanceTimersByTimeAsync(50);
  expect(runs).toHaveLength(1);
  runs[0]?.reject(new Error('a failure'));
  await vi.advanceTimersByTimeAsync(30);
  expect(runs).toHaveLength(1);
  expect(lines.join('')).toContain(times.failure);
  await vi.advanceTimersByTimeAsync(10);
  expect(runs).toHaveLength(2);
  runs[1]?.resolve();
  stop();
  await vi.advanceTimersByTimeAsync(50);
  expect(runs).toHaveLength(2);
});
