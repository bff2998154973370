import { createHash } from 'node:crypto';
import { foldSearchText } from '../../../../contract/search-tokens.ts';

/** A word of a text as the dictionary has it. */
export interface ReadWord {
  readonly surface: string;
  /** In katakana; undefined for what the dictionary does not know, such as numbers and names in Latin letters. */
  readonly reading: string | undefined;
  /** Whether it is more than a particle, an ending or a mark. */
  readonly isContent: boolean;
}

/** How the words of a sound are read, as tokens in hiragana. */
export interface SoundReadings {
  /** Of title, artist, type and genres. */
  readonly names: readonly string[];
  /** Of the description, without those of the names. */
  readonly text: readonly string[];
}

/** The texts of a sound that are read. */
export interface ReadingSource {
  readonly names: readonly string[];
  readonly description: string;
}

/** Change it when other tokens would result for the same text: all sounds are then read again. */
const READER_VERSION = 'ipadic 1';
/** Consecutive words that can be searched for as one, as in うみべのあしおと. */
const NAME_WORDS_MAX = 4;
const TEXT_WORDS_MAX = 2;
/** Further words of a long text are not found by their readings. */
const TEXT_TOKENS_MAX = 600;
const TOKEN_LENGTH_MAX = 32;

const HAN = /\p{Script=Han}/u;
const KANA_ONLY = /^[ぁ-ゖー]{2,}$/;
const LONG_O_OR_U =
  /(?<=[おこごそぞとどのほぼぽもよょろを])[うお]|(?<=[うくぐすずつづぬふぶぷむゆゅる])う|ー/g;

/** Identifies the texts of a sound, and how they are read. */
export function toSourceHash({ names, description }: ReadingSource): string {
  return createHash('sha256')
    .update(JSON.stringify([READER_VERSION, names, description]))
    .digest('base64url');
}

/** A word as it is read: without what cannot be read, undefined. For tests. @internal */
export function toKanaReading(words: readonly ReadWord[]): string | undefined {
  const kana = words.map(({ surface, reading }) => foldSearchText(reading ?? surface)).join('');
  return KANA_ONLY.test(kana) ? cutEnd(kana) : undefined;
}

/** The tokens of a sound whose texts have been read. */
export function toSoundReadings(
  names: readonly (readonly ReadWord[])[],
  description: readonly ReadWord[],
): SoundReadings {
  const inNames = new Set(names.flatMap((words) => toReadings(words, NAME_WORDS_MAX)));
  const inText = new Set(toReadings(description, TEXT_WORDS_MAX)).difference(inNames);
  return { names: [...inNames], text: [...inText].slice(0, TEXT_TOKENS_MAX) };
}

/**
 * The readings that a word of a query can have: itself in kana, and for a word in Latin letters what it is in romaji,
 * also without its long vowels, which are often left out (tokyo). Empty for all other words.
 */
export function toQueryReadings(word: string, toKana: (romaji: string) => string): string[] {
  const isKana = KANA_ONLY.test(word);
  const kana = isKana ? word : /^[a-z]{3,}$/.test(word) && !/[lqvx]/.test(word) ? toKana(word) : '';
  if (!KANA_ONLY.test(kana)) return [];
  const exact = cutEnd(kana);
  return isKana ? [exact] : toForms(kana);
}

/**
 * Readings of single words, and of up to `wordsMax` consecutive words with kanji that begin and end with more than a
 * particle.
 */
function toReadings(words: readonly ReadWord[], wordsMax: number): string[] {
  const found: string[] = [];
  for (const start of words.keys()) {
    let kana = '';
    let hasHan = false;
    for (const [index, { surface, reading, isContent }] of words.slice(start, start + wordsMax).entries()) {
      if (index === 0 && !isContent) break;
      const own = foldSearchText(reading ?? surface);
      if (!/^[ぁ-ゖー]+$/.test(own)) break;
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

/** The forms in which a reading is looked for; none for a single kana. */
function toForms(kana: string): string[] {
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
