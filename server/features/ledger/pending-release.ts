import { splitMonth, toDayStart, toMonth } from '../../../contract/months.ts';
import type { PendingRelease } from '../../../contract/profile.ts';

const DAY_MS = 86_400_000;

/** What was earned on a day (`toDay`). */
export interface EarnedDay {
  readonly day: number;
  readonly reward_yen: number;
}

/** Yen that a payout takes out of a balance while some days' earnings wait. */
export function toPayable(balance: number, pending: readonly EarnedDay[]): number {
  return Math.max(0, balance - pending.reduce((total, { reward_yen }) => total + reward_yen, 0));
}

/**
 * When earnings that wait, the oldest first, join a balance; undefined when they add nothing to it. A balance
 * from which more was taken back than had joined absorbs what joins first.
 */
export function findRelease(
  balance: number,
  pending: readonly EarnedDay[],
  nowMs: number,
  pendingDays: number,
): PendingRelease | undefined {
  const payable = toPayable(balance, pending);
  /** What joins with the first `count` of these days. */
  const toJoined = (count: number) => toPayable(balance, pending.slice(count)) - payable;
  const releases = pending
    .map(({ day }, index) => ({ on: toReleaseDay(day, pendingDays), amount: toJoined(index + 1) }))
    // Where several days join on one, the last of them has the sum.
    .filter(({ on, amount }, index, all) => amount > 0 && on !== all[index + 1]?.on);
  const [next] = releases;
  // Days whose earnings were taken back add nothing.
  const last = releases.find(({ amount }) => amount === releases.at(-1)?.amount);
  if (next === undefined || last === undefined) return undefined;
  const thisMonth = toMonth(nowMs);
  const before = pending.filter(({ day }) => toMonth(toDayStart(day)) < thisMonth);
  return {
    until_last_month: toJoined(before.length),
    next_on: toDate(next.on),
    next_amount: next.amount,
    last_on: toDate(last.on),
  };
}

/** The first day on which a payout takes what was earned on a day: see `toPendingSince` in figures.ts. */
function toReleaseDay(day: number, pendingDays: number): number {
  const { year, month } = splitMonth(toMonth(toDayStart(day)));
  const nextMonthBegins = Date.UTC(year, month, 1) / DAY_MS;
  return Math.max(nextMonthBegins, day + pendingDays + 1);
}

/** A day as `2026-12-01`. */
function toDate(day: number): string {
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}
