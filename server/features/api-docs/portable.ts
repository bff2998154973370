/** Classes that JavaScript and Python read differently, as the characters that JavaScript means. */
const CLASSES: Readonly<Record<string, string>> = {
  '\\d': '0-9',
  '\\w': 'A-Za-z0-9_',
  '\\p{Cc}': '\\u0000-\\u001f\\u007f-\\u009f',
};
const ESCAPE = /\\p\{[^}]*\}|\\./giu;
/** Means the same everywhere. */
const LITERAL = /^\\[^a-z0-9]$/iu;

/**
 * Rewrites a pattern of the contract so that validators in other languages read it alike: Python knows no `\p`, and its
 * `\d` and `\w` include the digits and letters of all scripts. Returns undefined for one that cannot be rewritten.
 */
export function findPortable(pattern: string): string | undefined {
  const escapes = pattern.match(ESCAPE) ?? [];
  if (!escapes.every((each) => each in CLASSES || LITERAL.test(each))) return undefined;
  const parts = pattern.split(/(\[(?:[^\]\\]|\\.)*\])/u);
  const rewrite = (text: string, isInside: boolean) =>
    text.replace(ESCAPE, (each) => {
      const characters = CLASSES[each];
      if (characters === undefined) return each;
      return isInside ? characters : `[${characters}]`;
    });
  return parts.map((text, index) => rewrite(text, index % 2 === 1)).join('');
}

/** As `findPortable`; throws for a pattern that cannot be rewritten. */
export function toPortable(pattern: string): string {
  const portable = findPortable(pattern);
  if (portable === undefined) throw new Error(`only JavaScript reads the pattern ${pattern}`);
  return portable;
}
