import * as v from 'valibot';

/** Values of a query. A parameter may be repeated: the last one counts. */

/** A text. */
export const lastText = v.pipe(
  v.array(v.string()),
  v.transform((values) => values.at(-1) ?? ''),
);

/** A number, or NaN. */
export const lastNumber = v.pipe(
  v.array(v.string()),
  v.transform((values) => Number(values.at(-1))),
);

/** A whole number between two bounds; `problem` is the error text of the reply. */
/* @__NO_SIDE_EFFECTS__ */
export function lastWholeNumber(min: number, max: number, problem: string) {
  return v.pipe(
    lastText,
    v.regex(/^\d{1,4}$/, problem),
    v.transform(Number),
    v.minValue(min, problem),
    v.maxValue(max, problem),
  );
}
