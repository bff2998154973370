import * as v from 'valibot';
import { orElse } from './wire.ts';

/**
 * `next` of a page (spec §3): its address, or null on the last page. Other hosts write an absolute or relative URL with a
 * `page` parameter, or a page number. The client reads the next page's number.
 */
export const NextPageSchema = orElse(
  v.pipe(
    v.nullable(v.string()),
    v.transform((next) => (next === null ? null : toPageNumber(next))),
  ),
  null,
);

export function toPageNumber(next: string): number | null {
  const digits = /^\d+$/.test(next) ? next : (/[?&]page=(\d+)/.exec(next)?.[1] ?? '');
  const page = Number.parseInt(digits, 10);
  return Number.isSafeInteger(page) && page >= 1 ? page : null;
}
