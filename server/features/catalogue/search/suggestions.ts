import { distance } from 'fastest-levenshtein';
import { toQueryPieces } from '../../../../contract/search-tokens.ts';
import type { SearchSuggestion } from '../../../../contract/search-suggestions.ts';
import type { Database } from '../../../platform/database/database.ts';
import { listSeqs } from '../listing/listing.ts';
import { loadSynonyms } from './load-synonyms.ts';
import { toKana } from './meaning.ts';
import { parseQuery } from './query.ts';
import { toQueryPronunciations } from './pronunciations.ts';
import { loadVocabulary } from './vocabulary.ts';
import type { KnownWord } from './vocabulary.ts';

const SUGGESTIONS_MAX = 4;
/** Each costs a search. */
const CANDIDATES_MAX = 10;
/** A comparison with all known words for each. */
const WORDS_COMPARED_MAX = 4;
const NEAR_MAX = 3;

/**
 * Searches that find something and are near one that does not: with another spelling or a broader word, or without one
 * of its words. Costs at most ten searches.
 */
export async function suggestSearches(database: Database, text: string): Promise<SearchSuggestion[]> {
  const found: SearchSuggestion[] = [];
  for (const search of (await listCandidates(database, text)).slice(0, CANDIDATES_MAX)) {
    const { count } = await listSeqs(database, { search, page_size: 1 }, null);
    if (count > 0) found.push({ search, count });
    if (found.length === SUGGESTIONS_MAX) break;
  }
  return found;
}

async function listCandidates(database: Database, text: string): Promise<string[]> {
  const synonyms = await loadSynonyms(database);
  const vocabulary = await loadVocabulary(database);
  const words = toQueryPieces(parseQuery(text).words).map((piece) => piece.text);
  const join = (at: number, word: string | undefined) =>
    words.flatMap((other, index) => (index === at ? (word ?? []) : other)).join(' ');
  const near: string[] = [];
  const nearAlone: string[] = [];
  const broader: string[] = [];
  for (const [at, word] of words.slice(0, WORDS_COMPARED_MAX).entries()) {
    const others = listNear(word, vocabulary);
    near.push(...others.map((other) => join(at, other)));
    nearAlone.push(...others);
    broader.push(...synonyms.findBroader(word).map((other) => join(at, other)));
  }
  const shorter = words.length > 1 ? words.map((_, at) => join(at, undefined)) : [];
  const others = new Set([...near, ...broader, ...shorter, ...nearAlone]);
  others.delete(words.join(' '));
  return [...others];
}

/** Known words that are spelled or read nearly like a word, the nearest first. */
function listNear(word: string, vocabulary: readonly KnownWord[]): string[] {
  const forms = new Set([word, ...toQueryPronunciations(word, toKana)]);
  const mistakesOf = new Map<string, number>();
  for (const form of forms)
    for (const { word: known, folded, reading = '' } of vocabulary) {
      const mistakes = Math.min(countMistakes(form, folded), countMistakes(form, reading));
      if (mistakes < (mistakesOf.get(known) ?? Infinity)) mistakesOf.set(known, mistakes);
    }
  return [...mistakesOf]
    .sort(([, a], [, b]) => a - b)
    .slice(0, NEAR_MAX)
    .map(([known]) => known);
}

/** One mistake in three to five characters, two in longer texts; otherwise, and for the same text, Infinity. */
function countMistakes(typed: string, known: string): number {
  const mistakesMax = typed.length < 3 ? 0 : typed.length < 6 ? 1 : 2;
  if (Math.abs(known.length - typed.length) > mistakesMax) return Infinity;
  const mistakes = distance(known, typed);
  return mistakes > 0 && mistakes <= mistakesMax ? mistakes : Infinity;
}
