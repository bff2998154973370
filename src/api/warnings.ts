const WARNINGS_MAX = 1_000;
const reported = new Set<string>();

/** Warns once per process. Texts name calls and fields, never values, so their number is bounded. */
export function warnOnce(warn: (text: string) => void, text: string): void {
  if (reported.has(text) || reported.size >= WARNINGS_MAX) return;
  reported.add(text);
  warn(text);
}
