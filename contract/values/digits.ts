import * as v from 'valibot';

/**
 * Fields of digits: people with a Japanese keyboard type them at full width, with any of the dashes. Both sides read them
 * here, so that what one accepts the other accepts.
 */

/** Longer texts are refused before they are read. */
const LENGTH_MAX = 40;

/** Half-width and trimmed, with ASCII hyphens. */
export function toHalfWidth(text: string): string {
  return text
    .normalize('NFKC')
    .replace(/[‐‑–—―ー−]/g, '-')
    .trim();
}

/** A typed decimal number; NaN when it is none. */
export function toNumber(text: string): number {
  const typed = toHalfWidth(text);
  return /^-?\d+(?:\.\d+)?$/.test(typed) ? Number(typed) : Number.NaN;
}

/** A text whose half-width form matches `pattern`; `problem` is the message for any other. */
/* @__NO_SIDE_EFFECTS__ */
export function digits(pattern: RegExp, problem: string) {
  return v.pipe(
    v.string(problem),
    v.maxLength(LENGTH_MAX, problem),
    v.transform(toHalfWidth),
    v.regex(pattern, problem),
  );
}
