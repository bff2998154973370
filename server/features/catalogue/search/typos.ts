import { isKana } from './romaji.ts';

const LENGTH_MIN = 3;
const LENGTH_MAX = 16;

/**
 * The keys by which a word and one with a mistake in it are found for one another: the word itself, and without each of
 * its characters. Two words share a key if one becomes the other by a missing, added, wrong or swapped character. [] for a
 * word that is too short or too long.
 */
export function toTypoKeys(word: string): string[] {
  const characters = [...word];
  if (characters.length < LENGTH_MIN || characters.length > LENGTH_MAX) return [];
  if (!(isKana(word) || /^[a-z]{4,}$/.test(word))) return [];
  return [...new Set([word, ...characters.map((_, at) => characters.toSpliced(at, 1).join(''))])];
}
