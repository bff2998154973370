import { isBlankSearch, toSearchTerms, toTitleKey } from '../../../../contract/search-tokens.ts';
import type { SoundQuery } from '../../../../contract/sounds.ts';
import type { SearchExpression } from '../../../platform/database/database.ts';
import type { RankOrder } from './ranked-search.ts';
import { facets, toTermsExpression } from './tokens.ts';

/** What is searched for; undefined when the query does not search. */
export function toSearchText({ search }: SoundQuery): string | undefined {
  return search === undefined || isBlankSearch(search) ? undefined : search;
}

/**
 * Where a text is found, best first: it is the title, stands in the title, in a name, anywhere.
 * Each holds all hits of those before it. None when the text has no words, hence no hits.
 */
export function toTiers(text: string): SearchExpression[] {
  const terms = toSearchTerms(text);
  if (terms.length === 0) return [];
  const titleKey = toTitleKey(text);
  const exact = titleKey === '' ? [] : [facets.titleIs(titleKey)];
  const fields = (['title', 'names', 'anywhere'] as const).flatMap(
    (field) => toTermsExpression(terms, field) ?? [],
  );
  return [...exact, ...fields.map((expression) => ({ any: [...exact, expression] }))];
}

/** What a query's hits are ordered by; `popularity` is what equally relevant ones are. */
export function toOrder(query: SoundQuery): RankOrder {
  switch (query.ordering) {
    case '-downloads':
      return 'download_count';
    case '-favorites':
      return 'favorite_count';
    case '-created':
      return 'newest';
    default:
      return toSearchText(query) === undefined ? 'newest' : 'popularity';
  }
}
