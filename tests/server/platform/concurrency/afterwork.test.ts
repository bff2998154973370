import { expect, test } from 'vitest';
import { createAfterwork } from '../../../../server/platform/concurrency/afterwork.ts';

test('delayed work starts at once on shutdown, and is awaited', async () => {
  const afterwork = createAfterwork();
  let isDone = false;
  afterwork.start(async (ending) => {
    expect(ending.aborted).toBe(true);
    await Promise.resolve();
    isDone = true;
  }, 3_600_000);
  expect(isDone).toBe(false);
  await afterwork.close();
  expect(isDone).toBe(true);
});
