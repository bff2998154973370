import { distance } from 'fastest-levenshtein';
import { toQueryPieces } from '../../../../contract/search-tokens.ts';
import type { SearchSuggestion } from '../../../../contract/search-suggestions.ts';
import type { Database } from '../../../platform/database/database.ts';
import { listSeqs } from '../listing/listing.ts';
import { loadSynonyms } from './load-synonyms.ts';
import { parseQuery } from './query.ts';
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
  const broader: string[] = [];
  for (const [at, word] of words.slice(0, WORDS_COMPARED_MAX).entries()) {
    near.push(...listNear(word, vocabulary).map((other) => join(at, other)));
    broader.push(...synonyms.findBroader(word).map((other) => join(at, other)));
  }
  const shorter = words.length > 1 ? words.map((_, at) => join(at, undefined)) : [];
  const others = new Set([...near, ...broader, ...shorter]);
  others.delete(words.join(' '));
  return [...others];
}

/** The nearest first: one mistake in three to five characters, two in longer words. */
function listNear(word: string, vocabulary: readonly KnownWord[]): string[] {
  const length = [...word].length;
  const mistakesMax = length < 3 ? 0 : length < 6 ? 1 : 2;
  return vocabulary
    .filter(({ folded }) => Math.abs(folded.length - word.length) <= mistakesMax)
    .map((known) => ({ ...known, mistakes: distance(known.folded, word) }))
    .filter(({ mistakes }) => mistakes > 0 && mistakes <= mistakesMax)
    .sort((a, b) => a.mistakes - b.mistakes)
    .slice(0, NEAR_MAX)
    .map((known) => known.word);
}
