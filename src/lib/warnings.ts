const SAID_MAX = 1_000;
const said = new Set<string>();

/**
 * Passes a text to `warn`, once per process. Texts name calls and fields, never values from a host, so their number is
 * bounded.
 */
export function warnOnce(warn: (text: string) => void, text: string): void {
  if (said.has(text) || said.size >= SAID_MAX) return;
  said.add(text);
  warn(text);
}
