import { DAY_MS, HOUR_MS } from '../../../contract/values/time-units.ts';

/** 1 January 1970 was a Thursday: with three days more, weeks begin on Monday. */
const MONDAY_DAYS = 3;
const HOURS = 24;
const DAYS = 7;
const WEEKS = 4;

/**
 * Which backups are kept, by their times: the newest `keep`, the last one of each hour of the day before the newest, the
 * last one of each of the seven latest days (UTC) that have one, and the last one of each of the four latest such weeks.
 * A pause in the backups therefore deletes nothing.
 */
export function selectKept(timesMs: readonly number[], keep: number): ReadonlySet<number> {
  const newestFirst = timesMs.toSorted((a, b) => b - a);
  const [newest = 0] = newestFirst;
  const kept = new Set(newestFirst.slice(0, keep));
  for (const [toPeriod, periods, sinceMs = 0] of [
    [(ms: number) => Math.floor(ms / HOUR_MS), HOURS, newest - DAY_MS],
    [(ms: number) => Math.floor(ms / DAY_MS), DAYS],
    [(ms: number) => Math.floor((Math.floor(ms / DAY_MS) + MONDAY_DAYS) / 7), WEEKS],
  ] as const) {
    const seen = new Set<number>();
    for (const ms of newestFirst) {
      if (ms <= sinceMs || seen.has(toPeriod(ms)) || seen.size === periods) continue;
      seen.add(toPeriod(ms));
      kept.add(ms);
    }
  }
  return kept;
}
