const WARNINGS_MAX = 1_000;
const reported = new Set<string>();

/**
 * Passes a text to `warn`, once per process. Texts name calls and fields, never values from a host, so their number is
 * bounded.
 */
export function warnOnce(warn: (text: string) => void, text: string): void {
  if (reported.has(text) || reported.size >= WARNINGS_MAX) return;
  reported.add(text);
  warn(text);
}
