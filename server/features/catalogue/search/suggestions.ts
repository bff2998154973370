import { RESULTS_REACHABLE } from '../../../../contract/sounds/listing-limits.ts';
import { toQueryPieces } from '../../../../contract/search/search-tokens.ts';
import type { SearchSuggestion } from '../../../../contract/search/search-suggestions.ts';
import type { Database } from '../../../platform/database/open.ts';
import { loadVocabulary } from './load-vocabulary.ts';
import { listNear } from './near-words.ts';
import { toQueryForms } from './pronunciations.ts';
import { parseQuery } from './query.ts';
import { toWidest } from './text.ts';
import { read } from './understanding.ts';

const SUGGESTIONS_MAX = 4;
/** Each costs a search. */
const CANDIDATES_MAX = 10;
/** Each is compared with all words of the lexicon. */
const WORDS_COMPARED_MAX = 4;

/**
 * Searches that find something and are near one that does not: with another spelling or a broader word, or without one
 * of its words. Costs at most ten searches.
 */
export async function suggestSearches(database: Database, text: string): Promise<SearchSuggestion[]> {
  const found: SearchSuggestion[] = [];
  for (const search of (await listCandidates(database, text)).slice(0, CANDIDATES_MAX)) {
    const widest = toWidest(await read(database, search));
    const count =
      widest === undefined ? 0 : await database.search.count(database.db, widest, RESULTS_REACHABLE);
    if (count > 0) found.push({ search, count });
    if (found.length === SUGGESTIONS_MAX) break;
  }
  return found;
}

async function listCandidates(database: Database, text: string): Promise<string[]> {
  const { graph, own } = await loadVocabulary(database);
  const words = toQueryPieces(parseQuery(text).words).map((piece) => piece.text);
  const join = (at: number, word: string | undefined) =>
    words.flatMap((other, index) => (index === at ? (word ?? []) : other)).join(' ');
  const near: string[] = [];
  const nearAlone: string[] = [];
  const broader: string[] = [];
  for (const [at, word] of words.slice(0, WORDS_COMPARED_MAX).entries()) {
    const others = await listNear(database, [word, ...toQueryForms(word)]);
    near.push(...others.map((other) => join(at, other)));
    nearAlone.push(...others);
    const kinds = graph
      .find(word)
      .flatMap(({ targets }) => targets['kind of'].map(({ words: [name] }) => name));
    broader.push(...[...kinds, ...own.findBroader(word)].map((other) => join(at, other)));
  }
  const shorter = words.length > 1 ? words.map((_, at) => join(at, undefined)) : [];
  const others = new Set([...near, ...broader, ...shorter, ...nearAlone]);
  others.delete(words.join(' '));
  return [...others];
}
