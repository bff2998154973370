import { expect, test } from 'vitest';
import { createBudgets } from '#server/platform/limits/budgets.ts';

test('a budget saves up its burst, fills up over time, and tells the whole seconds until the next use', () => {
  let nowMs = 0;
  const { take, refund } = createBudgets({ burst: 2, perSec: 0.5, now: () => nowMs });
  expect([take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 2, 0]);
  nowMs += 500;
  expect(take('a')).toBe(2);
  nowMs += 1_500;
  expect([take('a'), take('a')]).toEqual([0, 2]);
  refund('a');
  expect([take('a'), take('a')]).toEqual([0, 2]);
  nowMs += 3_600_000;
  expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 2]);
});
