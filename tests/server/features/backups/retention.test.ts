import { expect, test } from 'vitest';
import { selectKept } from '#server/features/backups/retention.ts';

const DAY_MS = 86_400_000;
const MONDAY_MS = Date.UTC(2026, 10, 23);

function keptOf(timesMs: readonly number[], keep: number): string[] {
  return [...selectKept(timesMs, keep)]
    .toSorted((a, b) => b - a)
    .map((ms) => new Date(ms).toISOString().slice(0, 13));
}

test('of the day before the newest, the last one of each hour is kept', () => {
  const newest = MONDAY_MS + 2 * DAY_MS;
  // Every half hour for two days.
  const times = Array.from({ length: 96 }, (_, index) => newest - (index * DAY_MS) / 48);
  const kept = [...selectKept(times, 1)].toSorted((a, b) => b - a);
  expect(kept.slice(0, 25).map((ms) => (newest - ms) / 3_600_000)).toEqual([
    0,
    ...Array.from({ length: 23 }, (_, index) => index + 0.5),
    // The last one of its day.
    24.5,
  ]);
  expect(kept).toHaveLength(25);
});

test('the newest are kept, the last of each of seven days, and the last of each of four weeks', () => {
  // Every six hours for sixty days, up to Monday 18:00.
  const times = Array.from({ length: 240 }, (_, index) => MONDAY_MS + DAY_MS * 0.75 - (index * DAY_MS) / 4);
  expect(keptOf(times, 3)).toEqual([
    '2026-11-23T18',
    '2026-11-23T12',
    '2026-11-23T06',
    '2026-11-23T00',
    '2026-11-22T18',
    '2026-11-21T18',
    '2026-11-20T18',
    '2026-11-19T18',
    '2026-11-18T18',
    '2026-11-17T18',
    '2026-11-15T18',
    '2026-11-08T18',
  ]);
});

test('a pause in the backups deletes none', () => {
  const times = [MONDAY_MS - 400 * DAY_MS, MONDAY_MS - 200 * DAY_MS, MONDAY_MS];
  expect(selectKept(times, 1)).toEqual(new Set(times));
});

test('the newest backup is always kept', () => {
  expect(selectKept([MONDAY_MS], 1)).toEqual(new Set([MONDAY_MS]));
  expect(selectKept([], 1)).toEqual(new Set());
});
