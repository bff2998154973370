import { toTitleKey } from '../../../../contract/search/search-tokens.ts';
import type { SynonymGroup } from './synonyms.ts';

/** Words that the operator wants to be found for one another. */
export interface OwnWords {
  /** The other words of the groups of a word; [] for one without any. */
  find(word: string): readonly string[];
  /** Whether a word, in the form of `toTitleKey`, has any. */
  has(key: string): boolean;
  /** Words of which it is a kind; [] for an unknown word. */
  findBroader(word: string): readonly string[];
  readonly words: readonly string[];
}

/** Groups in which every word stands for every other one. */
export function createOwnWords(groups: readonly SynonymGroup[]): OwnWords {
  const others = new Map<string, Set<string>>();
  const broader = new Map<string, Set<string>>();
  for (const { words, broader: category } of groups)
    for (const word of words) {
      const key = toTitleKey(word);
      if (category !== undefined) broader.set(key, (broader.get(key) ?? new Set()).add(category));
      const synonyms = others.get(key) ?? new Set();
      for (const other of words) if (other !== word) synonyms.add(other);
      others.set(key, synonyms);
    }
  return {
    find: (word) => [...(others.get(toTitleKey(word)) ?? [])],
    has: (key) => (others.get(key)?.size ?? 0) > 0,
    findBroader: (word) => [...(broader.get(toTitleKey(word)) ?? [])],
    words: [...new Set(groups.flatMap(({ words }) => words))],
  };
}
