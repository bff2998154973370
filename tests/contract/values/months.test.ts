import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  isMonth,
  joinMonth,
  listMonths,
  splitMonth,
  toDate,
  toDay,
  toMonth,
} from '#contract/values/months.ts';

describe('days', () => {
  it.each([
    ['2026-11-28T14:59:59.999Z', '2026-11-28'],
    ['2026-11-28T15:00:00.000Z', '2026-11-29'],
    ['2025-12-31T15:00:00.000Z', '2026-01-01'],
  ])('begin in Japan: %s lies on %s', (time, date) => {
    expect(toDate(toDay(Date.parse(time)))).toBe(date);
  });
});

describe('months', () => {
  it.each([
    ['2026-03-31T14:59:59.999Z', '2026-03'],
    ['2026-03-31T15:00:00.000Z', '2026-04'],
    ['2025-12-31T14:59:59.999Z', '2025-12'],
    ['2025-12-31T15:00:00.000Z', '2026-01'],
    ['2024-02-29T15:00:00.000Z', '2024-03'],
  ])('begin in Japan: %s lies in %s', (time, month) => {
    expect(toMonth(Date.parse(time))).toBe(month);
  });

  it('are distinguished from other texts', () => {
    expect(['2026-01', '2026-12', '0001-10'].filter(isMonth)).toHaveLength(3);
    const none = ['', '2026', '2026-00', '2026-13', '2026-1', '26-01', '2026-01-01', ' 2026-01', '2026-01\n'];
    expect([...none, '２０２６-01', '12026-01'].filter(isMonth)).toEqual([]);
  });

  it('count back across a change of year, newest first', () => {
    expect(listMonths('2026-02', 4)).toEqual(['2026-02', '2026-01', '2025-12', '2025-11']);
    expect(listMonths('2026-12', 12)).toHaveLength(12);
    expect(listMonths('2026-12', 12).at(-1)).toBe('2026-01');
    expect(listMonths('2026-12', 0)).toEqual([]);
  });

  it('survive parsing and formatting, and sort as texts', () => {
    const month = fc.tuple(fc.integer({ min: 2_000, max: 2_100 }), fc.integer({ min: 1, max: 12 }));
    fc.assert(
      fc.property(month, month, ([year, of], [otherYear, otherOf]) => {
        expect(splitMonth(joinMonth(year, of))).toEqual({ year, month: of });
        const isBefore = year * 12 + of < otherYear * 12 + otherOf;
        expect(joinMonth(year, of) < joinMonth(otherYear, otherOf)).toBe(isBefore);
      }),
    );
  });

  it('follow one another without gap or repetition', () => {
    const months = listMonths('2026-05', 400);
    expect(new Set(months).size).toBe(400);
    expect(months).toEqual(months.toSorted().toReversed());
  });
});
