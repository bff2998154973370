/**
 * Japanese search without a dictionary. Text is folded (width, case, kana, marks); Japanese runs are cut into n-grams
 * of one, two and three characters, other scripts into words. The index holds the tokens of a text, a query looks up
 * its own; both databases store them unchanged.
 */

/** Bounds what a long text adds to the index; text beyond it is not found. */
const INDEXED_LENGTH_MAX = 4_000;
/** Words are truncated to this length; the rest is not needed to tell them apart. */
const WORD_LENGTH_MAX = 32;
/** Names are indexed by the prefixes of their words up to this many letters, for search while typing. */
const PREFIX_LENGTH_MAX = 16;
const TITLE_KEY_LENGTH_MAX = 60;
/** More words in a query, or more n-grams per word, do not narrow the results further. */
export const QUERY_TERMS_MAX = 12;
const TERM_PIECES_MAX = 12;

const VU: Readonly<Record<string, string>> = { ぁ: 'ば', ぃ: 'び', ぇ: 'べ', ぉ: 'ぼ' };
const KATAKANA_TO_HIRAGANA = 0x60;

/** Scripts that are written without spaces or, like Korean, with endings attached to words. */
const RUN = String.raw`\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー`;
const LETTERS = String.raw`[[\p{L}\p{N}\p{M}]--[${RUN}]]+`;
/** A run, a word of another script with its inner marks, or a symbol that people search for, such as ♪. */
const PIECES = new RegExp(
  String.raw`(?<run>[${RUN}]+)|(?<word>${LETTERS}(?:['’.&+‐‑\-]${LETTERS})*)|(?<symbol>[\p{So}\p{Extended_Pictographic}])`,
  'gv',
);
const WORD_PARTS = /\p{N}+|[\p{L}\p{M}]+/gu;
const SPACE_INSIDE_RUN = new RegExp(String.raw`(?<=[${RUN}])\s+(?=[${RUN}])`, 'gv');
/** Overlapping, so that each word is the first of a pair and the second of another. */
const WORD_PAIRS = new RegExp(String.raw`(?<![\p{L}\p{N}\p{M}])(${LETTERS})(?=\s+(${LETTERS}))`, 'gv');
const KANA = /^[ぁ-ゖー]$/;
/** Hiragana and common kanji, which folding leaves as they are: most words of a query that is being read. */
const FOLDED = /^[ぁ-ん一-鿿]*$/;

/** Folds text for comparison: ﾋﾟｱﾉ, ピアノ and ぴあの are equal, and so are ＢＧＭ and bgm. Accepts any string. */
export function foldSearchText(text: string): string {
  if (FOLDED.test(text)) return text;
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

/** A title as one word, to test whether a query equals it; '' when it has nothing searchable. */
export function toTitleKey(title: string): string {
  return [...foldSearchText(title.slice(0, INDEXED_LENGTH_MAX)).replace(/[^\p{L}\p{N}]/gu, '')]
    .slice(0, TITLE_KEY_LENGTH_MAX)
    .join('');
}

export interface NameTokens {
  readonly whole: ReadonlySet<string>;
  /** Prefixes of words, for queries that are still being typed. */
  readonly prefixes: ReadonlySet<string>;
}

/** The tokens of a name: a title, an artist, a genre. Spaces between Japanese words are optional in queries. */
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
  addPairs(whole, text);
  return { whole, prefixes };
}

/** The tokens of a longer text. Single kana are left out because nearly every text contains each of them. */
export function toTextTokens(text: string): ReadonlySet<string> {
  const tokens = new Set<string>();
  const folded = foldSearchText(text.slice(0, INDEXED_LENGTH_MAX));
  for (const { groups } of folded.matchAll(PIECES)) {
    if (groups?.['run'] !== undefined) addGrams(tokens, [...groups['run']], false);
    if (groups?.['symbol'] !== undefined) tokens.add(groups['symbol']);
    for (const word of toWords(groups?.['word'])) tokens.add(word);
  }
  addPairs(tokens, folded);
  return tokens;
}

/** One word of a query. It matches where all tokens of at least one alternative are found. */
export type SearchTerm = readonly (readonly string[])[];

/** A part of a query between spaces and marks, folded. */
export interface QueryPiece {
  /** `run`: Japanese or Korean, which has no spaces between words. `word`: of another script, with its inner marks. */
  readonly kind: 'run' | 'word' | 'symbol';
  readonly text: string;
}

/** The parts of a query in their order. Symbols count only in a query without words. */
export function toQueryPieces(query: string): QueryPiece[] {
  const pieces = Array.from(foldSearchText(query).matchAll(PIECES), ({ groups = {} }): QueryPiece => {
    const { run, word, symbol = '' } = groups;
    if (run !== undefined) return { kind: 'run', text: run };
    return word === undefined ? { kind: 'symbol', text: symbol } : { kind: 'word', text: word };
  });
  const words = pieces.filter(({ kind }) => kind !== 'symbol');
  return words.length > 0 ? words : pieces;
}

/** What the index must have of one part of a query. */
export function toSearchTerm({ kind, text }: QueryPiece): SearchTerm {
  if (kind === 'run') return [toQueryGrams(text)];
  return kind === 'word' ? toWordAlternatives(text) : [[text]];
}

/**
 * The words of a query, all of which must match. [] for a query without any indexed token (only punctuation, for
 * example), which finds nothing; a blank query is no search, see `isBlankSearch`.
 */
export function toSearchTerms(query: string): readonly SearchTerm[] {
  const pieces = new Map(toQueryPieces(query).map((piece) => [piece.text, piece]));
  return [...pieces.values()].slice(0, QUERY_TERMS_MAX).map(toSearchTerm);
}

/** Whether a query is blank, so that everything is listed. */
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

/** Two words with a space between them, joined: 8 bit is found as 8bit, and piano sonata as a phrase. */
function addPairs(tokens: Set<string>, text: string): void {
  for (const [, first = '', second = ''] of text.matchAll(WORD_PAIRS)) tokens.add(cutWord(first + second));
}

/** What the index must have for the words of a query to stand next to each other: their pairs. */
export function toPhraseTerms(phrase: string): readonly SearchTerm[] {
  const pairs = [...foldSearchText(phrase).matchAll(WORD_PAIRS)].map(
    ([, first = '', second = '']): SearchTerm => [[cutWord(first + second)]],
  );
  return [...toSearchTerms(phrase.replace(SPACE_INSIDE_RUN, '')), ...pairs].slice(0, QUERY_TERMS_MAX);
}

/** The longest n-grams that cover a run: they need fewer look-ups, and 東京と京都 does not match 東京都. */
function toQueryGrams(run: string): string[] {
  // サーバー is also written サーバ. Short words such as ギター would become different words.
  const characters = [...run.replace(/^(.{3,})ー$/u, '$1')];
  if (characters.length <= 3) return [characters.join('')];
  const last = characters.length - 3;
  // In a long run, every second n-gram still overlaps the next one by a character.
  const starts = Array.from({ length: last + 1 }, (_, start) => start).filter(
    (start) => last < 2 || start % 2 === 0 || start === last,
  );
  return [...new Set(starts.map((start) => characters.slice(start, start + 3).join('')))].slice(
    0,
    TERM_PIECES_MAX,
  );
}

/** lo-fi is found as lofi, lo-fi and lo fi. Single letters, as in R&B, would match everywhere on their own. */
function toWordAlternatives(word: string): SearchTerm {
  const [joined = '', ...parts] = toWords(word);
  const isCompound = /[^\p{L}\p{N}\p{M}]/u.test(word);
  const canStandApart = parts.length > 1 && parts.every((part) => part.length > 1);
  return isCompound && canStandApart ? [[joined], parts] : [[joined]];
}

/** A word without its inner marks, and its parts: lo-fi becomes lofi, lo, fi; 8bit becomes 8bit, 8, bit. */
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
