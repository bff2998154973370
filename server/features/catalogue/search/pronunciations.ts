import { createHash } from 'node:crypto';
import { foldSearchText } from '../../../../contract/search-tokens.ts';

/** A word of a text as the dictionary has it. */
export interface DictionaryWord {
  readonly surface: string;
  /** In katakana; undefined for what the dictionary does not know, such as numbers and names in Latin letters. */
  readonly reading: string | undefined;
  /** Whether it is more than a particle, an ending or a mark. */
  readonly isContent: boolean;
}

/** How the words of a sound are pronounced, as tokens in hiragana. */
export interface SoundPronunciations {
  /** Of title, artist, type and genres. */
  readonly names: readonly string[];
  /** Of the description, without those of the names. */
  readonly text: readonly string[];
}

/** The texts of a sound whose words are pronounced. */
export interface PronouncedTexts {
  readonly names: readonly string[];
  readonly description: string;
}

/** Change it when other tokens would result for the same text: all sounds are then pronounced again. */
const PRONUNCIATION_VERSION = 'ipadic 1';
/** Consecutive words that can be searched for as one, as in うみべのあしおと. */
const NAME_WORDS_MAX = 4;
const TEXT_WORDS_MAX = 2;
/** Further words of a long text are not found by their pronunciations. */
const TEXT_TOKENS_MAX = 600;
const TOKEN_LENGTH_MAX = 32;

const HAN = /\p{Script=Han}/u;
const KANA_ONLY = /^[ぁ-ゖー]{2,}$/;
const LONG_O_OR_U =
  /(?<=[おこごそぞとどのほぼぽもよょろを])[うお]|(?<=[うくぐすずつづぬふぶぷむゆゅる])う|ー/g;

/** Identifies the texts of a sound, and how their pronunciations are found. */
export function toSourceHash({ names, description }: PronouncedTexts): string {
  return createHash('sha256')
    .update(JSON.stringify([PRONUNCIATION_VERSION, names, description]))
    .digest('base64url');
}

/** A word as it is read: without what cannot be read, undefined. For tests. @internal */
export function toKanaReading(words: readonly DictionaryWord[]): string | undefined {
  const kana = words.map(({ surface, reading }) => foldSearchText(reading ?? surface)).join('');
  return KANA_ONLY.test(kana) ? cutEnd(kana) : undefined;
}

/** The tokens of a sound from the words of its texts. */
export function toSoundPronunciations(
  names: readonly (readonly DictionaryWord[])[],
  description: readonly DictionaryWord[],
): SoundPronunciations {
  const inNames = new Set(names.flatMap((words) => toReadings(words, NAME_WORDS_MAX)));
  const inText = new Set(toReadings(description, TEXT_WORDS_MAX)).difference(inNames);
  return { names: [...inNames], text: [...inText].slice(0, TEXT_TOKENS_MAX) };
}

/**
 * The pronunciations that a word of a query can have: itself in kana, and for a word in Latin letters what it is in romaji,
 * also without its long vowels, which are often left out (tokyo). Empty for all other words.
 */
export function toQueryPronunciations(word: string, toKana: (romaji: string) => string): string[] {
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
function toReadings(words: readonly DictionaryWord[], wordsMax: number): string[] {
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
