import { DAY_MS, JAPAN_MS } from './time-units.ts';

/** A calendar month as `2026-11`; sorts as text. Months follow Japan time whatever the machine's time zone. */
export type Month = `${number}-${string}`;

/** The day of a moment (epoch ms) in Japan, as a number; consecutive days differ by 1. */
export function toDay(timeMs: number): number {
  return Math.floor((timeMs + JAPAN_MS) / DAY_MS);
}

/** The start of a day in Japan, in epoch ms. */
export function toDayStart(day: number): number {
  return day * DAY_MS - JAPAN_MS;
}

/** The date of a day, such as `2026-11-30`. */
export function toDate(day: number): string {
  // Days of Japan have the numbers of UTC days.
  return new Date(day * DAY_MS).toISOString().slice(0, 10);
}

/** The month of a moment (epoch ms) in Japan. */
export function toMonth(timeMs: number): Month {
  return new Date(timeMs + JAPAN_MS).toISOString().slice(0, 7) as Month;
}

/** The first day (`toDay`) of a month. */
export function toFirstDay(month: Month): number {
  const { year, month: number } = splitMonth(month);
  // Days of Japan have the numbers of UTC days.
  return Date.UTC(year, number - 1) / DAY_MS;
}

/** The month of a year and a month number from 1 to 12. */
export function joinMonth(year: number, month: number): Month {
  return `${year}-${String(month).padStart(2, '0')}`;
}

/** Whether an external text is a valid month. */
export function isMonth(text: string): text is Month {
  return /^\d{4}-(0[1-9]|1[0-2])$/.test(text);
}

/** Year and month, with the month from 1 to 12. */
export function splitMonth(month: Month): { readonly year: number; readonly month: number } {
  const [year = '', number = ''] = month.split('-');
  return { year: Number(year), month: Number(number) };
}

/** The `count` months up to and including `last`, newest first. */
export function listMonths(last: Month, count: number): Month[] {
  const { year, month } = splitMonth(last);
  return Array.from({ length: count }, (_, ago) => {
    const index = year * 12 + (month - 1) - ago;
    return joinMonth(Math.floor(index / 12), (index % 12) + 1);
  });
}

/** The month after another. */
export function toNextMonth(month: Month): Month {
  const { year, month: number } = splitMonth(month);
  return number === 12 ? joinMonth(year + 1, 1) : joinMonth(year, number + 1);
}
