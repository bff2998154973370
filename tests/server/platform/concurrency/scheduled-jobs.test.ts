import { expect, test, vi } from 'vitest';
import { startScheduledJobs } from '../../../../server/platform/concurrency/scheduled-jobs.ts';
import { createLog } from '../../../../server/platform/log.ts';

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
