import { DAY_MS } from '../../../contract/values/time-units.ts';
import { splitMonth, toDate, toDayStart, toMonth } from '../../../contract/values/months.ts';
import type { PendingRelease } from '../../../contract/accounts/profile.ts';

/** Earnings of a day (`toDay`). */
export interface EarnedDay {
  readonly day: number;
  readonly reward_yen: number;
}

/** The payable yen of a balance while the earnings of some days are pending. */
export function toPayable(balance: number, pending: readonly EarnedDay[]): number {
  return Math.max(0, balance - pending.reduce((total, { reward_yen }) => total + reward_yen, 0));
}

/**
 * When pending earnings, oldest first, become payable; undefined when they add nothing. If more was reversed than was
 * payable, the first earnings compensate for it.
 */
export function findRelease(
  balance: number,
  pending: readonly EarnedDay[],
  nowMs: number,
  pendingDays: number,
): PendingRelease | undefined {
  const payable = toPayable(balance, pending);
  /** The amount that becomes payable with the first `count` of these days. */
  const toJoined = (count: number) => toPayable(balance, pending.slice(count)) - payable;
  const releases = pending
    .map(({ day }, index) => ({ on: toReleaseDay(day, pendingDays), amount: toJoined(index + 1) }))
    // When several days become payable on the same day, the last of them has the sum.
    .filter(({ on, amount }, index, all) => amount > 0 && on !== all[index + 1]?.on);
  const [next] = releases;
  // Days whose earnings were reversed add nothing.
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

/** The first day on which earnings of a day are payable: see `toPendingSince` in figures.ts. */
function toReleaseDay(day: number, pendingDays: number): number {
  const { year, month } = splitMonth(toMonth(toDayStart(day)));
  const nextMonthBegins = Date.UTC(year, month, 1) / DAY_MS;
  return Math.max(nextMonthBegins, day + pendingDays + 1);
}
