import * as v from 'valibot';
import { ExtraFlagSchema, ExtraNumberSchema, requiredListOf } from './wire.ts';

/**
 * `next` as any host may write it: an absolute or relative URL with a `page` parameter, a page number, or nothing.
 * Converted to the next page's number, or null on the last page (spec §3).
 */
export const NextPageSchema = v.optional(
  v.fallback(v.nullable(v.pipe(v.union([v.string(), v.number()]), v.transform(toPageNumber))), null),
  null,
);

/**
 * A page of `results` (spec §3), with the total that only our own host sends. A plain list is a page without `next`; a
 * reply without a list is unreadable, because it would look like an empty catalogue.
 */
/* @__NO_SIDE_EFFECTS__ */
export function pagedResult<
  Item extends v.GenericSchema<unknown, unknown>,
  Others extends v.ObjectEntries = Record<never, never>,
>(item: Item, others: Others = {} as Others) {
  const page = v.object({
    ...others,
    results: requiredListOf(item),
    next: NextPageSchema,
    count: ExtraNumberSchema,
    count_is_capped: ExtraFlagSchema,
  });
  const run: (typeof page)['~run'] = (dataset, config) =>
    page['~run'](Array.isArray(dataset.value) ? { value: { results: dataset.value } } : dataset, config);
  return { ...page, '~run': run };
}

export function toPageNumber(next: string | number): number | null {
  if (typeof next === 'number') return next >= 1 ? next : null;
  const digits = /^\d+$/.test(next) ? next : (/[?&]page=(\d+)/.exec(next)?.[1] ?? '');
  const page = Number.parseInt(digits, 10);
  return Number.isSafeInteger(page) && page >= 1 ? page : null;
}
