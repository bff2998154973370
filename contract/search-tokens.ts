/**
 * Japanese search without a dictionary: text is folded (width, case, kana, marks), Japanese runs
 * are cut into pieces of one, two and three characters, other scripts into words. The index holds
 * a text's pieces, a query asks for its own; both databases store them as they are.
 */

/** Bounds what a long text adds to the index; what stands after it is not found. */
const INDEXED_LENGTH_MAX = 4_000;
/** Words are cut here; nobody tells longer ones apart. */
const WORD_LENGTH_MAX = 32;
/** A word in a name is found while it is being typed, up to this many letters. */
const PREFIX_LENGTH_MAX = 16;
const TITLE_KEY_LENGTH_MAX = 60;
/** More words than this, or more pieces of one word, narrow nothing further. */
const QUERY_TERMS_MAX = 12;
const TERM_PIECES_MAX = 12;

const VU: Readonly<Record<string, string>> = { ぁ: 'ば', ぃ: 'び', ぇ: 'べ', ぉ: 'ぼ' };
const KATAKANA_TO_HIRAGANA = 0x60;

/** Scripts that are written without spaces, or (Korean) with endings that stick to words. */
const RUN = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー`;
const LETTERS = String.raw`[[\p{L}\p{N}\p{M}]--[${RUN}]]+`;
/** A run, a word of another script with its inner marks, or a symbol that people do search for, such as ♪. */
const PIECES = new RegExp(
  String.raw`(?<run>[${RUN}]+)|(?<word>${LETTERS}(?:['’.&+‐‑\-]${LETTERS})*)|(?<symbol>[\p{So}\p{Extended_Pictographic}])`,
  'gv',
);
const WORD_PARTS = /\p{N}+|[\p{L}\p{M}]+/gu;
const SPACE_INSIDE_RUN = new RegExp(String.raw`(?<=[${RUN}])\s+(?=[${RUN}])`, 'gv');
const KANA = /^[ぁ-ゖー]$/;

/** What a text is compared as: ﾋﾟｱﾉ, ピアノ and ぴあの are one, and so are ＢＧＭ and bgm. Any string is fine. */
export function foldSearchText(text: string): string {
  return text
    .toWellFormed()
    .replace(/[^\P{C}\s]|\ufffd/gu, '')
    .replaceAll('゛', '\u3099')
    .replaceAll('゜', '\u309a')
    .normalize('NFKC')
    .toLowerCase()
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ァ-ヶヽヾ]/g, (kana) => String.fromCharCode(kana.charCodeAt(0) - KATAKANA_TO_HIRAGANA))
    .replace(/ゔ([ぁぃぇぉ]?)/g, (_, small: string) => VU[small] ?? 'ぶ')
    .replace(/(?<=[ぁ-ゖ])・(?=[ぁ-ゖ])/g, '')
    .replace(/(?<=[ぁ-ゖー])[〜~‐‑‒–—―−]+/g, 'ー')
    .replace(/ー{2,}/g, 'ー')
    .replace(/(\p{Script=Han})々/gu, '$1$1')
    .replace(/([ぁ-ゖ])ゝ/g, '$1$1')
    .replace(/([ぁ-ゖ])ゞ/g, (_, kana: string) => kana + `${kana}\u3099`.normalize('NFC'));
}

/** A title as one word, to tell whether a query is exactly it; '' when nothing of it can be searched. */
export function toTitleKey(title: string): string {
  return [...foldSearchText(title.slice(0, INDEXED_LENGTH_MAX)).replace(/[^\p{L}\p{N}]/gu, '')]
    .slice(0, TITLE_KEY_LENGTH_MAX)
    .join('');
}

export interface NameTokens {
  readonly whole: ReadonlySet<string>;
  /** Beginnings of words, for people who are still typing. */
  readonly prefixes: ReadonlySet<string>;
}

/** The pieces of a name: a title, an artist, a genre. Spaces between Japanese words may be left out. */
export function toNameTokens(name: string): NameTokens {
  const whole = new Set<string>();
  const prefixes = new Set<string>();
  const text = foldSearchText(name.slice(0, INDEXED_LENGTH_MAX));
  for (const { groups } of text.replace(SPACE_INSIDE_RUN, '').matchAll(PIECES)) {
    if (groups?.['run'] !== undefined) addGrams(whole, [...groups['run']], true);
    if (groups?.['symbol'] !== undefined) whole.add(groups['symbol']);
    for (const word of toWords(groups?.['word'])) {
      whole.add(word);
      addPrefixes(prefixes, word);
    }
  }
  for (const [, number, unit] of text.matchAll(/(\p{N}+) ([a-z]+)/gu)) whole.add(cutWord(`${number}${unit}`));
  return { whole, prefixes };
}

/** The pieces of a longer text. A single kana is no piece of it: nearly every text has every one. */
export function toTextTokens(text: string): ReadonlySet<string> {
  const tokens = new Set<string>();
  for (const { groups } of foldSearchText(text.slice(0, INDEXED_LENGTH_MAX)).matchAll(PIECES)) {
    if (groups?.['run'] !== undefined) addGrams(tokens, [...groups['run']], false);
    if (groups?.['symbol'] !== undefined) tokens.add(groups['symbol']);
    for (const word of toWords(groups?.['word'])) tokens.add(word);
  }
  return tokens;
}

/** One word of a query: it is found where all tokens of one alternative are. */
export type SearchTerm = readonly (readonly string[])[];

/**
 * The words of a query, all of which must be found. [] for a query that asks for nothing that is
 * in the index (only punctuation, say), which finds nothing; a blank query is no search, see `isBlankSearch`.
 */
export function toSearchTerms(query: string): readonly SearchTerm[] {
  const terms = new Map<string, SearchTerm>();
  const symbols = new Map<string, SearchTerm>();
  for (const { groups } of foldSearchText(query).matchAll(PIECES)) {
    const { run, word, symbol } = groups ?? {};
    if (run !== undefined) terms.set(run, [toQueryGrams(run)]);
    if (word !== undefined) terms.set(word, toWordAlternatives(word));
    if (symbol !== undefined) symbols.set(symbol, [[symbol]]);
  }
  return [...(terms.size > 0 ? terms : symbols).values()].slice(0, QUERY_TERMS_MAX);
}

/** Whether a query is no search at all, so that everything is listed. */
export function isBlankSearch(query: string): boolean {
  return query.replace(/[\p{Cc}\p{Cf}]/gu, '').trim() === '';
}

function addGrams(tokens: Set<string>, characters: readonly string[], withSingleKana: boolean): void {
  for (const [index, first] of characters.entries()) {
    const second = characters[index + 1];
    const third = characters[index + 2];
    if (withSingleKana || !KANA.test(first)) tokens.add(first);
    if (second !== undefined) tokens.add(first + second);
    if (second !== undefined && third !== undefined) tokens.add(first + second + third);
  }
}

/** The longest pieces that cover a run: fewer to look up, and 東京と京都 is no 東京都. */
function toQueryGrams(run: string): string[] {
  // サーバー is also written サーバ; a short word such as ギター would turn into something else.
  const characters = [...run.replace(/^(.{3,})ー$/u, '$1')];
  if (characters.length <= 3) return [characters.join('')];
  const last = characters.length - 3;
  // Every second piece of a long run still shares a character with the next one.
  const starts = Array.from({ length: last + 1 }, (_, start) => start).filter(
    (start) => last < 2 || start % 2 === 0 || start === last,
  );
  return [...new Set(starts.map((start) => characters.slice(start, start + 3).join('')))].slice(
    0,
    TERM_PIECES_MAX,
  );
}

/** lo-fi is found as lofi, lo-fi and lo fi; single letters apart, as of R&B, would be found everywhere. */
function toWordAlternatives(word: string): SearchTerm {
  const [joined = '', ...parts] = toWords(word);
  const isCompound = /[^\p{L}\p{N}\p{M}]/u.test(word);
  const canStandApart = parts.length > 1 && parts.every((part) => part.length > 1);
  return isCompound && canStandApart ? [[joined], parts] : [[joined]];
}

/** A word without its inner marks, and its parts: lo-fi is lofi, lo, fi; 8bit is 8bit, 8, bit. */
function toWords(word: string | undefined): string[] {
  if (word === undefined) return [];
  const parts = word.match(WORD_PARTS) ?? [];
  const words = [word.replace(/[^\p{L}\p{N}\p{M}]/gu, ''), ...(parts.length > 1 ? parts : [])];
  return [...new Set(words.map(cutWord))];
}

function addPrefixes(prefixes: Set<string>, word: string): void {
  if (/^\p{N}/u.test(word)) return;
  const characters = [...word];
  const longest = Math.min(characters.length - 1, PREFIX_LENGTH_MAX);
  for (let length = 1; length <= longest; length++) prefixes.add(characters.slice(0, length).join(''));
}

function cutWord(word: string): string {
  return [...word].slice(0, WORD_LENGTH_MAX).join('');
}
