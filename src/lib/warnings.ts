const SAID_MAX = 1_000;
const said = new Set<string>();

/** Passes a text to `warn`, once in this process. Texts name calls and fields, never what a host sent, so they are few. */
export function warnOnce(warn: (text: string) => void, text: string): void {
  if (said.has(text) || said.size >= SAID_MAX) return;
  said.add(text);
  warn(text);
}
