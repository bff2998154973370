import { stemmer } from 'stemmer';
import { toHiragana } from 'wanakana';

const LATIN = /^[a-z]{2,}$/;

/**
 * What a word in Latin letters, which is folded, can be looked for as: its English stem, and in hiragana what it is in
 * romaji. [] for any other word.
 */
export function toLatinForms(word: string): string[] {
  if (!LATIN.test(word)) return [];
  const kana = toKana(word);
  return [...(word.length > 2 ? [toStem(word)] : []), ...(/^[ぁ-ゖー]{2,}$/.test(kana) ? [kana] : [])];
}

/** An English word, folded, without its ending: purr and purring are the same. */
export function toStem(word: string): string {
  return stemmer(word).replace(/([^aeiou])\1$/, '$1');
}

/** A word in romaji in hiragana; what is no syllable stays in Latin letters. `dennsya` and `densya` are the same. */
export function toKana(romaji: string): string {
  return toHiragana(romaji.replaceAll('tch', 'cch').replace(/nn(?=[bcdfghjkmprstwyz])/g, 'n'));
}
