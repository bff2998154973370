import * as v from 'valibot';

/**
 * Tolerant building blocks for replies. The client must work against any host that honours
 * spec §7, so an id may be a number, a text or a list may be null, and fields that only our
 * own host sends are optional: a missing or odd one costs its feature, never the page.
 */

/** An id: hosts send numbers or strings; here it is always a string. */
export const IdSchema = v.pipe(
  v.union([v.string(), v.number()]),
  v.transform((id) => String(id)),
);

/** A text that a host may leave out or send as null; then it is ''. One made of digits may come as a number. */
export const TextSchema = v.optional(
  v.nullable(
    v.union([
      v.string(),
      v.pipe(
        v.number(),
        v.transform((number) => String(number)),
      ),
    ]),
    '',
  ),
  '',
);

/** An address of a file that may be absent; '' counts as absent. */
export const FileUrlSchema = v.optional(
  v.nullable(
    v.pipe(
      v.string(),
      v.transform((url) => (url === '' ? null : url)),
    ),
  ),
  null,
);

/** A flag that a host may leave out or send as null; then it is false. 0 and 1 say the same. */
export const FlagSchema = flagOr(false);

/** A flag that is true where a host leaves it out. */
export const AssumedFlagSchema = flagOr(true);

/* @__NO_SIDE_EFFECTS__ */
function flagOr(absent: boolean) {
  const flag = v.union([
    v.boolean(),
    v.pipe(
      v.number(),
      v.transform((number) => number !== 0),
    ),
  ]);
  return v.optional(v.nullable(flag, absent), absent);
}

/** A count that a host may leave out or send as null; then it is 0. */
export const CountSchema = v.optional(v.nullable(v.number(), 0), 0);

/** A list that a host may leave out or send as null; then it is empty. */
/* @__NO_SIDE_EFFECTS__ */
export function listOf<const Item extends v.GenericSchema<unknown, unknown>>(item: Item) {
  return v.optional(v.nullable(v.array(item), []), []);
}

/** A field only our own host sends: absent or malformed, it is undefined and nothing else breaks. */
/* @__NO_SIDE_EFFECTS__ */
export function extra<Value extends v.GenericSchema<unknown, unknown>>(value: Value) {
  return v.optional(v.fallback(v.optional(value), undefined));
}
