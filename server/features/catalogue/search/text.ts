import { isBlankSearch, toSearchTerms, toTitleKey } from '../../../../contract/search-tokens.ts';
import type { SoundQuery } from '../../../../contract/sounds.ts';
import type { SearchExpression } from '../../../platform/database/database.ts';
import type { RankOrder } from './ranked-search.ts';
import { facets, toTermsExpression } from './tokens.ts';

/** The search text; undefined when the query does not search. */
export function toSearchText({ search }: SoundQuery): string | undefined {
  return search === undefined || isBlankSearch(search) ? undefined : search;
}

/**
 * Where a text can match, best first: equal to the title, in the title, in a name, anywhere. Each contains all hits of
 * those before it. Empty when the text has no words and therefore no hits.
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

/** The order of a query's hits; `popularity` orders equally relevant ones. */
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
