import { distance } from 'fastest-levenshtein';
import type { Database } from '../../../platform/database/open.ts';
import { loadLexicon } from './lexicon.ts';
import type { Lexicon } from './lexicon.ts';
import { toMistakesMax } from './near-index.ts';

const NEAR_MAX = 4;

/** Words of the lexicon that are spelled or read nearly like one of the forms of a word; the nearest first. */
export async function listNear(database: Database, forms: readonly string[]): Promise<string[]> {
  return findNear(await loadLexicon(database), forms);
}

/** `listNear` among these words. */
export function findNear({ words, near }: Lexicon, forms: readonly string[]): string[] {
  const mistakesOf = new Map<string, number>();
  for (const form of new Set(forms)) {
    const positions = new Set(near.flatMap((index) => index.find(form)));
    // Of equally near words, the one that comes first in the lexicon.
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
function countMistakes(typed: string, candidate: string): number {
  const mistakesMax = toMistakesMax(typed);
  if (Math.abs(candidate.length - typed.length) > mistakesMax) return Infinity;
  const mistakes = isSwapped(typed, candidate) ? 1 : distance(candidate, typed);
  return mistakes > 0 && mistakes <= mistakesMax ? mistakes : Infinity;
}

/** Whether two neighbouring characters are swapped. */
function isSwapped(typed: string, candidate: string): boolean {
  if (typed.length !== candidate.length) return false;
  const at = [...typed].findIndex((each, index) => each !== candidate[index]);
  return (
    at !== -1 &&
    typed === candidate.slice(0, at) + candidate[at + 1] + candidate[at] + candidate.slice(at + 2)
  );
}
