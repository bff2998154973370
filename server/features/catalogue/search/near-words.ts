import { distance } from 'fastest-levenshtein';
import type { Database } from '../../../platform/database/open.ts';
import { loadKnownWords } from './known-words.ts';
import type { KnownWords } from './known-words.ts';
import { toMistakesMax } from './near-index.ts';

const NEAR_MAX = 4;

/** Known words that are spelled or read nearly like one of the forms of a word; the nearest first. */
export async function listNear(database: Database, forms: readonly string[]): Promise<string[]> {
  return findNear(await loadKnownWords(database), forms);
}

/** `listNear` among these words. */
export function findNear({ words, near }: KnownWords, forms: readonly string[]): string[] {
  const mistakesOf = new Map<string, number>();
  for (const form of new Set(forms)) {
    const positions = new Set(near.flatMap((index) => index.find(form)));
    // Of equally near words, the one that is known first.
    for (const position of [...positions].sort((a, b) => a - b)) {
      const { word = '', folded = '', reading = '' } = words[position] ?? {};
      const mistakes = Math.min(countMistakes(form, folded), countMistakes(form, reading));
      if (mistakes < (mistakesOf.get(word) ?? Infinity)) mistakesOf.set(word, mistakes);
    }
  }
  return [...mistakesOf]
    .sort(([, a], [, b]) => a - b)
    .slice(0, NEAR_MAX)
    .map(([word]) => word);
}

/** At most `toMistakesMax`; otherwise, and for the same text, Infinity. */
function countMistakes(typed: string, known: string): number {
  const mistakesMax = toMistakesMax(typed);
  if (Math.abs(known.length - typed.length) > mistakesMax) return Infinity;
  const mistakes = isSwapped(typed, known) ? 1 : distance(known, typed);
  return mistakes > 0 && mistakes <= mistakesMax ? mistakes : Infinity;
}

/** Whether two neighbouring characters are in each other's place. */
function isSwapped(typed: string, known: string): boolean {
  if (typed.length !== known.length) return false;
  const at = [...typed].findIndex((each, index) => each !== known[index]);
  return at !== -1 && typed === known.slice(0, at) + known[at + 1] + known[at] + known.slice(at + 2);
}
