import * as v from 'valibot';
import { JAPAN_MS } from '../values/time-units.ts';

/** Minutes in Japan, as an `<input type="datetime-local">` has them: `2026-11-22T18:30`. */

const MINUTE = /^\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\d|3[01])T(?:[01]\d|2[0-3]):[0-5]\d$/;
const PROBLEM = '日付と時刻を正しく入力してください。';

/** The minute of a time (epoch ms). */
export function toMinute(ms: number): string {
  return new Date(ms + JAPAN_MS).toISOString().slice(0, 16);
}

/** The epoch ms of a minute; NaN for a day that does not exist. */
export function toMinuteMs(minute: string): number {
  const ms = Date.parse(`${minute}:00+09:00`);
  // Date.parse accepts the 31st of every month.
  const isSameDay = new Date(ms + JAPAN_MS).getUTCDate() === Number(minute.slice(8, 10));
  return isSameDay ? ms : Number.NaN;
}

const isMinute = (text: string) => MINUTE.test(text) && !Number.isNaN(toMinuteMs(text));

export const MinuteSchema = v.pipe(v.string(PROBLEM), v.check(isMinute, PROBLEM));
/** '' for none. */
export const OptionalMinuteSchema = v.pipe(
  v.string(PROBLEM),
  v.check((text) => text === '' || isMinute(text), PROBLEM),
);
