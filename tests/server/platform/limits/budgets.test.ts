import { expect, test } from 'vitest';
import { createBudgets } from '#server/platform/limits/budgets.ts';

test('a budget saves up its burst, fills up over time, and tells the whole seconds until the next use', () => {
  let nowMs = 0;
  const { take, settle } = createBudgets({ burst: 2, perSec: 0.5, now: () => nowMs });
  expect([take('a'), take('a'), take('a'), take('b')]).toEqual([0, 0, 2, 0]);
  nowMs += 500;
  expect(take('a')).toBe(2);
  nowMs += 1_500;
  expect([take('a'), take('a')]).toEqual([0, 2]);
  settle('a', -1);
  expect([take('a'), take('a')]).toEqual([0, 2]);
  nowMs += 3_600_000;
  expect([take('a'), take('a'), take('a')]).toEqual([0, 0, 2]);
});

test('a budget can be overdrawn by work that took longer than expected, and then refuses until that is made up for', () => {
  let nowMs = 0;
  const { take, settle } = createBudgets({ burst: 100, perSec: 10, now: () => nowMs });
  expect(take('a', 5)).toBe(0);
  settle('a', 195);
  expect(take('a', 5)).toBe(11);
  nowMs += 10_400;
  expect(take('a', 5)).toBe(1);
  nowMs += 600;
  expect(take('a', 5)).toBe(0);
});
