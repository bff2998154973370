import { stemmer } from 'stemmer';
import { toHiragana } from 'wanakana';

const LATIN = /^[a-z]{2,}$/;

/** Whether a folded text has at least so many characters, and nothing but kana. */
export function isKana(text: string, least = 1): boolean {
  return text.length >= least && /^[ぁ-ゖー]+$/.test(text);
}

/**
 * What a word in Latin letters, which is folded, can be looked for as: its English stem, and in hiragana what it is in
 * romaji. [] for any other word.
 */
export function toLatinForms(word: string): string[] {
  if (!LATIN.test(word)) return [];
  const kana = toKana(word);
  return [...(word.length > 2 ? [toStem(word)] : []), ...(isKana(kana, 2) ? [kana] : [])];
}

/** An English word, folded, without its ending: purr and purring are the same. */
export function toStem(word: string): string {
  return stemmer(word).replace(/([^aeiou])\1$/, '$1');
}

/** A word in romaji in hiragana; what is no syllable stays in Latin letters. `dennsya` and `densya` are the same. */
export function toKana(romaji: string): string {
  return toHiragana(romaji.replaceAll('tch', 'cch').replace(/nn(?=[bcdfghjkmprstwyz])/g, 'n'));
}
