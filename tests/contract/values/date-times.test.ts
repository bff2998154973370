import { expect, it } from 'vitest';
import { formatDateTime } from '#contract/values/date-times.ts';

it.each([
  ['2026-11-20T05:30:00Z', '2026年11月20日 14:30'],
  ['2026-03-31T15:00:00.000Z', '2026年4月1日 0:00'],
  ['no time', ''],
])('writes %s as a time in Japan: %s', (iso, text) => {
  expect(formatDateTime(Date.parse(iso))).toBe(text);
});
