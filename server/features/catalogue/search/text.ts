import {
  QUERY_TERMS_MAX,
  isBlankSearch,
  toPhraseTerms,
  toSearchTerms,
  toTitleKey,
} from '../../../../contract/search-tokens.ts';
import type { SearchTerm } from '../../../../contract/search-tokens.ts';
import type { SoundQuery } from '../../../../contract/sounds.ts';
import type { RankOrder, SearchExpression } from '../../../platform/database/database.ts';
import { toMeaningExpression } from './meaning.ts';
import type { Synonyms } from './meaning.ts';
import { parseQuery } from './query.ts';
import { EVERYTHING, facets, toTermsExpression } from './tokens.ts';

const LITERAL_FIELDS = ['title', 'names', 'anywhere'] as const;

/** The search text; undefined when the query does not search. */
export function toSearchText({ search }: SoundQuery): string | undefined {
  return search === undefined || isBlankSearch(search) ? undefined : search;
}

/** Where a text can match, best first. The last of each kind contains all hits of those before it. */
export interface Tiers {
  /** As it is written: equal to the title, in the title, in a name, anywhere. */
  readonly literal: readonly SearchExpression[];
  /** With the pronunciations and synonyms of its words: in a name, anywhere. The last contains the literal hits as well. */
  readonly meant: readonly SearchExpression[];
}

/** The tiers of a text. Empty when it has no words and therefore no hits. */
export function toTiers(text: string, synonyms: Synonyms): Tiers {
  const { words, phrases, excluded } = parseQuery(text);
  const free = toSearchTerms(words);
  const fixed = phrases.flatMap(toPhraseTerms).slice(0, QUERY_TERMS_MAX - free.length);
  const terms = [...free, ...fixed];
  const unwanted = excluded.map(toPhraseTerms).filter((each) => each.length > 0);
  if (terms.length === 0)
    return { literal: unwanted.length === 0 ? [] : [without(EVERYTHING, unwanted)], meant: [] };
  const titleKey = toTitleKey([words, ...phrases].join(' '));
  const exact = titleKey === '' ? [] : [facets.titleIs(titleKey)];
  const orExact = (one: SearchExpression) => ({ any: [...exact, one] });
  const literal = LITERAL_FIELDS.map((field) => orExact(toTermsExpression(terms, field)));
  const meant = (['names', 'anywhere'] as const).flatMap((place) => {
    const meaning = toMeaningExpression(words, synonyms, place);
    if (meaning === undefined) return [];
    return orExact(fixed.length === 0 ? meaning : { all: [meaning, toTermsExpression(fixed, place)] });
  });
  return {
    literal: [...exact, ...literal].map((tier) => without(tier, unwanted)),
    meant: meant.map((tier) => without(tier, unwanted)),
  };
}

function without(one: SearchExpression, unwanted: readonly (readonly SearchTerm[])[]): SearchExpression {
  if (unwanted.length === 0) return one;
  return { one, not: { any: unwanted.map((terms) => toTermsExpression(terms, 'anywhere')) } };
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
