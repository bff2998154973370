import { createHash } from 'node:crypto';
import { foldSearchText, toTitleKey } from '../../../../contract/search/search-tokens.ts';
import { isKana, toLatinForms } from './romaji.ts';
import { listConcepts } from './text-concepts.ts';
import { FIELDS, facets } from './tokens.ts';
import { toTypoKeys } from './typos.ts';
import type { WordGraph } from './words.ts';

/** A word of a text as the dictionary has it. */
export interface DictionaryWord {
  readonly surface: string;
  /** In katakana; undefined for what the dictionary does not know, such as numbers and names in Latin letters. */
  readonly reading: string | undefined;
  /** Without its inflection: 鳴く for 鳴い. */
  readonly base: string;
  /** Whether it is more than a particle, an ending or a mark. */
  readonly isContent: boolean;
}

/** The texts of a sound whose words are read. */
export interface ReadTexts {
  readonly title: string;
  readonly artist: string;
  /** How the artist writes the own name in kana; '' if it is not given. */
  readonly artistReading: string;
  /** The names of its type and genres. */
  readonly labels: readonly string[];
  readonly description: string;
}

/** Change it when other tokens would result for the same text: all sounds are then read again. */
const READING_VERSION = 'ipadic 2';
/** Consecutive words that can be searched for as one, as in うみべのあしおと. */
const NAME_WORDS_MAX = 4;
const TEXT_WORDS_MAX = 2;
/** Further words of a long text are not found by their pronunciations and meanings. */
const TEXT_TOKENS_MAX = 600;
const TOKEN_LENGTH_MAX = 32;

const HAN = /\p{Script=Han}/u;
const LONG_O_OR_U =
  /(?<=[おこごそぞとどのほぼぽもよょろを])[うお]|(?<=[うくぐすずつづぬふぶぷむゆゅる])う|ー/g;

/** Identifies the texts of a sound, and how their tokens are found. */
export function toSourceHash(texts: ReadTexts): string {
  return createHash('sha256')
    .update(JSON.stringify([READING_VERSION, texts]))
    .digest('base64url');
}

/** A text as it is read in hiragana; undefined if a part of it cannot be read. */
export function toKanaReading(words: readonly DictionaryWord[]): string | undefined {
  const kana = words.map(({ surface, reading }) => foldSearchText(reading ?? surface)).join('');
  return isKana(kana, 2) ? cutEnd(kana) : undefined;
}

/** The words of each text of a sound. */
export interface ReadWords {
  readonly title: readonly DictionaryWord[];
  readonly artist: readonly DictionaryWord[];
  readonly labels: readonly (readonly DictionaryWord[])[];
  readonly description: readonly DictionaryWord[];
}

/** What the index needs to know of a sound's words: their pronunciations, meanings and likely mistakes, as tokens. */
export function toReadTokens(words: ReadWords, texts: ReadTexts, graph: WordGraph): string[] {
  const title = new Set(toReadings(words.title, NAME_WORDS_MAX));
  const text = [...words.labels, words.description].flatMap((each) => toReadings(each, TEXT_WORDS_MAX));
  const artist = [
    ...toReadings(words.artist, NAME_WORDS_MAX),
    ...[texts.artist, ...texts.artist.split(/[^\p{L}\p{N}]+/u), texts.artistReading].flatMap(toNameForms),
  ];
  const wholeTitle = toKanaReading(words.title);
  const inTitle = listConcepts(words.title, graph);
  const concepts = [
    inTitle,
    ...[...words.labels, words.description].map((each) => listConcepts(each, graph)),
  ];
  return [
    ...(wholeTitle === undefined ? [] : [facets.titleIs(wholeTitle)]),
    ...Array.from(title, (kana) => FIELDS.titlePronunciations + kana),
    ...[...title.union(new Set(text))].slice(0, TEXT_TOKENS_MAX).map((kana) => FIELDS.pronunciations + kana),
    ...artist.map((kana) => FIELDS.artistPronunciations + kana),
    ...Array.from(inTitle.own, (key) => FIELDS.titleConcepts + key),
    ...concepts.flatMap(({ own }) => Array.from(own, (key) => FIELDS.concepts + key)),
    ...concepts.flatMap(({ related }) => Array.from(related, (key) => FIELDS.relatedConcepts + key)),
    ...listTypoWords(words, texts).flatMap((word) => toTypoKeys(word).map((key) => FIELDS.typos + key)),
  ];
}

/** The words that someone may have wanted to type: those of the title, and the artist's name. */
function listTypoWords({ title, artist }: ReadWords, texts: ReadTexts): string[] {
  const ofTitle = title.filter(({ isContent }) => isContent);
  return [
    ...ofTitle.map(({ surface, reading }) => foldSearchText(reading ?? surface)),
    toKanaReading(title) ?? '',
    toKanaReading(artist) ?? '',
    foldSearchText(texts.artistReading),
    toTitleKey(texts.artist),
  ];
}

/**
 * The forms in which a word of a query is looked for besides its spelling: itself in kana, and for a word in Latin
 * letters what it is in romaji, also without its long vowels, which are often left out (tokyo), and its English stem.
 */
export function toQueryForms(word: string): string[] {
  if (isKana(word, 2)) return [cutEnd(word)];
  return toLatinForms(word).flatMap((form) => (isKana(form, 2) ? toForms(form) : [form]));
}

/**
 * Readings of single words, and of up to `wordsMax` consecutive words with kanji that begin and end with more than a
 * particle; and the stems of English words.
 */
function toReadings(words: readonly DictionaryWord[], wordsMax: number): string[] {
  const found: string[] = [];
  for (const start of words.keys()) {
    let kana = '';
    let hasHan = false;
    for (const [index, { surface, reading, isContent }] of words.slice(start, start + wordsMax).entries()) {
      if (index === 0 && !isContent) break;
      const own = foldSearchText(reading ?? surface);
      if (index === 0) found.push(...toLatinForms(own).filter((form) => !isKana(form, 2)));
      if (!isKana(own)) break;
      kana += own;
      hasHan ||= HAN.test(surface);
      if (!isContent || !(hasHan || index === 0) || kana.length > TOKEN_LENGTH_MAX) continue;
      found.push(...toForms(kana));
      // お正月 is looked for as しょうがつ.
      if (index === 0 && /^[お御ご]\p{Script=Han}/u.test(surface)) found.push(...toForms(kana.slice(1)));
    }
  }
  return found;
}

/** A name in kana, also of one in romaji. */
function toNameForms(name: string): string[] {
  const key = toTitleKey(name);
  return [key, ...toLatinForms(key)].flatMap(toForms);
}

/** The forms in which a reading is looked for; none for a single kana. */
function toForms(kana: string): string[] {
  if (!isKana(kana, 2)) return [];
  const exact = cutEnd(kana);
  return [...new Set([exact, withoutLongVowels(exact)])].filter((form) => form.length > 1);
}

function withoutLongVowels(kana: string): string {
  return kana.replace(LONG_O_OR_U, '');
}

/** サーバー is also written サーバ. */
function cutEnd(kana: string): string {
  return kana.replace(/^(.{3,})ー$/u, '$1');
}
