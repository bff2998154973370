import { expect, test } from 'vitest';
import { isBankDay } from '#server/features/ledger/zengin/bank-days.ts';

const DAY_MS = 86_400_000;

const toDate = (ms: number) => new Date(ms).toISOString().slice(0, 10);
const toMs = (date: string) => Date.parse(`${date}T00:00:00Z`);
const toWeekday = (date: string) => new Date(toMs(date)).getUTCDay();

/** 国民の祝日に関する法律 of 2026: fixed days, Mondays, equinoxes, substitutes (3条2項) and days between two (3条3項). */
function listHolidays(year: number): Set<string> {
  const monday = (month: number, nth: number) => {
    const first = toWeekday(toDate(Date.UTC(year, month - 1, 1)));
    return toDate(Date.UTC(year, month - 1, 1 + ((8 - first) % 7) + 7 * (nth - 1)));
  };
  const equinox = (month: number, day: number) =>
    toDate(
      Date.UTC(year, month - 1, Math.floor(day + 0.242194 * (year - 1980) - Math.floor((year - 1980) / 4))),
    );
  const fixed = ['01-01', '02-11', '02-23', '04-29', '05-03', '05-04', '05-05', '08-11', '11-03', '11-23'];
  const days = new Set([
    ...fixed.map((day) => `${year}-${day}`),
    monday(1, 2),
    monday(7, 3),
    monday(9, 3),
    monday(10, 2),
    equinox(3, 20.8431),
    equinox(9, 23.2488),
  ]);
  const next = (date: string, days = 1) => toDate(toMs(date) + days * DAY_MS);
  for (const day of [...days].filter((date) => toWeekday(date) === 0)) {
    let substitute = next(day);
    while (days.has(substitute)) substitute = next(substitute);
    days.add(substitute);
  }
  for (const day of [...days].filter((date) => days.has(next(date, 2)))) days.add(next(day));
  return days;
}

test.each([2026, 2027, 2028, 2029, 2030])('knows the days of %i on which banks are open', (year) => {
  const holidays = listHolidays(year);
  for (let ms = Date.UTC(year, 0, 1); ms < Date.UTC(year + 1, 0, 1); ms += DAY_MS) {
    const date = toDate(ms);
    const isClosed =
      [0, 6].includes(toWeekday(date)) || holidays.has(date) || /-(12-31|01-0[1-3])$/.test(date);
    expect([date, isBankDay(date)]).toEqual([date, !isClosed]);
  }
});

test.each([
  ['2026-05-06', 'the substitute of a Sunday before two holidays'],
  ['2026-09-22', 'the day between two holidays'],
  ['2026-09-23', 'the autumn equinox'],
  ['2027-03-22', 'the substitute of the spring equinox'],
  ['2026-12-31', 'the end of the year'],
])('banks are closed on %s, %s', (date) => {
  expect(isBankDay(date)).toBe(false);
});
