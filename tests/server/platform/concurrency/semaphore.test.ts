import { expect, test } from 'vitest';
import { Busy } from '#server/platform/limits/busy.ts';
import { createSemaphore } from '#server/platform/concurrency/semaphore.ts';

test('limits running and waiting tasks, keeps their order, and refuses the rest', async () => {
  const semaphore = createSemaphore(2, 2);
  const ends: (() => void)[] = [];
  const begun: number[] = [];
  const results = [0, 1, 2, 3, 4].map((index) =>
    semaphore.run(async () => {
      begun.push(index);
      await new Promise<void>((resolve) => ends.push(resolve));
      if (index === 0) throw new Error('failed');
      return index;
    }),
  );
  await expect(results[4]).rejects.toBeInstanceOf(Busy);
  expect(begun).toEqual([0, 1]);
  ends[0]?.();
  await expect(results[0]).rejects.toThrow('failed');
  await expect.poll(() => begun).toEqual([0, 1, 2]);
  ends[2]?.();
  expect(await results[2]).toBe(2);
  await expect.poll(() => begun).toEqual([0, 1, 2, 3]);
  ends[1]?.();
  ends[3]?.();
  expect(await Promise.all([results[1], results[3]])).toEqual([1, 3]);
  expect(await semaphore.run(() => Promise.resolve('free again'))).toBe('free again');
});
