import { foldSearchText } from '../../../../contract/search/search-tokens.ts';

/** Words that visitors use for the same thing. */
export interface SynonymGroup {
  /** As they are written; the first is the one to suggest. */
  readonly words: readonly string[];
  /** A word for something more general, whose hits are less relevant. */
  readonly broader: string | undefined;
}

const WORD_LENGTH_MAX = 24;
/** Each word is stored with all others of its group. */
const WORDS_MAX = 100;

/**
 * The groups of a text: one a line, words separated by `, `, optionally ` < ` and a
 * broader word at the end. Skips blank lines and those that begin with `#`. Throws an Error that names the line for a
 * group of one word without a broader one or of too many words, and for a word that is blank, too long or folds to
 * another of its group.
 */
export function parseSynonyms(text: string): SynonymGroup[] {
  return text.split(/\r?\n/).flatMap((line, index) => {
    if (line.trim() === '' || line.startsWith('#')) return [];
    const group = toGroup(line);
    const fault = findFault(group);
    if (fault !== undefined) throw new Error(`Line ${index + 1} of the synonyms has ${fault}: ${line}`);
    return [group];
  });
}

function toGroup(line: string): SynonymGroup {
  const [list = '', ...broader] = line.split(' < ');
  return {
    words: list.split(',').map((word) => word.trim()),
    broader: broader.length === 0 ? undefined : broader.join(' < ').trim(),
  };
}

function findFault({ words, broader }: SynonymGroup): string | undefined {
  if (words.length < 2 && broader === undefined) return 'only one word';
  if (words.length > WORDS_MAX) return `more than ${WORDS_MAX} words`;
  const all = broader === undefined ? words : [...words, broader];
  const seen = new Set<string>();
  for (const word of all) {
    const folded = foldSearchText(word).trim();
    if (folded === '') return 'a blank word';
    if (/[,<]/.test(word)) return `a separator inside “${word}”`;
    if ([...word].length > WORD_LENGTH_MAX) return `a word that is too long, “${word}”`;
    if (seen.has(folded)) return `“${word}” twice`;
    seen.add(folded);
  }
  return undefined;
}
