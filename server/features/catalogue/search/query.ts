/** A query in its parts. All words and phrases must match, and nothing that is excluded. */
export interface SearchQuery {
  /** Words, separated by spaces. */
  readonly words: string;
  /** Words in quotes stand next to each other, as they are written. */
  readonly phrases: readonly string[];
  readonly excluded: readonly ExcludedWord[];
}

export interface ExcludedWord {
  readonly text: string;
  /** In quotes: only what is written like this is excluded, and nothing of the same meaning. */
  readonly isPhrase: boolean;
}

/** A minus sign before a word, or what a Japanese keyboard writes instead; then words in quotes, or a word. */
const PARTS =
  /(?<sign>[-－−ー](?=[^\s\-－−ー]))?(?:["＂“”](?<phrase>[^"＂“”]*)["＂“”]?|(?<word>[^\s"＂“”]+))/g;
const EXCLUDED_MAX = 8;

/** Reads `雨 -夜 "静かな 部屋"`. The signs have the same meaning in full width. */
export function parseQuery(text: string): SearchQuery {
  const words: string[] = [];
  const phrases: string[] = [];
  const excluded: ExcludedWord[] = [];
  for (const { groups: { sign, phrase, word = '' } = {} } of text.matchAll(PARTS)) {
    if (sign !== undefined) excluded.push({ text: phrase ?? word, isPhrase: phrase !== undefined });
    else if (phrase !== undefined) phrases.push(phrase);
    else words.push(word);
  }
  return { words: words.join(' '), phrases, excluded: excluded.slice(0, EXCLUDED_MAX) };
}
