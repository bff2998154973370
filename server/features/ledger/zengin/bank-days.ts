import { createRequire } from 'node:module';

/**
 * Whether Japanese banks transfer on a day such as `2026-11-30`: not at weekends, on national holidays, and from 31
 * December to 3 January (銀行法施行令5条). The list of holidays ends in 2050; a new law needs a newer list. 230 kB, loaded
 * when it is needed.
 */
export function isBankDay(date: string): boolean {
  const require = createRequire(import.meta.url);
  const { holidays } = require('@holiday-jp/holiday_jp') as {
    readonly holidays: Readonly<Record<string, unknown>>;
  };
  const isWeekend = [0, 6].includes(new Date(`${date}T00:00:00Z`).getUTCDay());
  const isYearEnd = /-(?:12-31|01-0[123])$/.test(date);
  return !isWeekend && !isYearEnd && holidays[date] === undefined;
}
