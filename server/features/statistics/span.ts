import { listMonths, toDay, toFirstDay, toMonth, toNextMonth } from '../../../contract/values/months.ts';
import type { Month } from '../../../contract/values/months.ts';
import { MONTHS_BEFORE } from '../../../contract/artists/statistics.ts';
import type { Span } from '../../../contract/artists/statistics.ts';

const LAST_DAYS = 30;
const YEAR_MONTHS = 12;

/** Consecutive days (`toDay`); the last one is not included. */
export interface Days {
  readonly from: number;
  readonly until: number;
}

export interface SpanDays extends Days {
  readonly unit: 'day' | 'month';
  /** The first day of each part, oldest first. */
  readonly starts: readonly number[];
  readonly before: Days;
  /** Whether it is compared with whole months. */
  readonly isBeforeWhole: boolean;
}

/** The days of a span, and those it is compared with; undefined for a month whose days are not all there. */
export function toSpanDays(span: Span, nowMs: number): SpanDays | undefined {
  const today = toDay(nowMs);
  const until = today + 1;
  if (span === 'days') {
    const from = until - LAST_DAYS;
    const before = { from: from - LAST_DAYS, until: from };
    return { unit: 'day', starts: listDays(from, until), from, until, before, isBeforeWhole: false };
  }
  if (span === 'year') {
    const starts = listMonths(toMonth(nowMs), YEAR_MONTHS).toReversed().map(toFirstDay);
    const [from = today] = starts;
    const [first = span] = listMonths(toMonth(nowMs), 2 * YEAR_MONTHS).slice(-1);
    const before = { from: toFirstDay(first as Month), until: from };
    return { unit: 'month', starts, from, until, before, isBeforeWhole: true };
  }
  if (!listMonths(toMonth(nowMs), MONTHS_BEFORE + 1).includes(span)) return undefined;
  const from = toFirstDay(span);
  const next = toFirstDay(toNextMonth(span));
  const end = Math.min(next, until);
  const monthBefore = toFirstDay(listMonths(span, 2).at(-1) ?? span);
  // For a month in progress, the same number of days of the previous month.
  const beforeUntil = end === next ? from : Math.min(from, monthBefore + (end - from));
  const before = { from: monthBefore, until: beforeUntil };
  return {
    unit: 'day',
    starts: listDays(from, end),
    from,
    until: end,
    before,
    isBeforeWhole: beforeUntil === from,
  };
}

function listDays(from: number, until: number): number[] {
  return Array.from({ length: until - from }, (_, index) => from + index);
}
