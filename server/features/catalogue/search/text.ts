import {
  QUERY_TERMS_MAX,
  isBlankSearch,
  toPhraseTerms,
  toSearchTerms,
  toTitleKey,
} from '../../../../contract/search/search-tokens.ts';
import type { SoundQuery } from '../../../../contract/sounds/sounds.ts';
import type { RankOrder } from '../../../platform/database/search-index/search-index.ts';
import type { SearchExpression } from '../../../platform/database/search-index/search-expression.ts';
import { toMeaning, toMeanings, toTypeMeaning } from './meaning.ts';
import type { ExcludedWord, SearchQuery } from './query.ts';
import { toQueryForms } from './pronunciations.ts';
import { EVERYTHING, FIELDS, facets, toTermExpression, toTermsExpression } from './tokens.ts';
import { toUnits } from './units.ts';
import type { Unit, Vocabulary } from './units.ts';

/** The search text; undefined when the query does not search. */
export function toSearchText({ search }: SoundQuery): string | undefined {
  return search === undefined || isBlankSearch(search) ? undefined : search;
}

/** Tiers of a kind, best first; the last contains those before it. */
type Tiers = readonly SearchExpression[];

/** The questions of a text to the index. */
export interface TextSearch {
  /** Matches as written, by meaning, by related concepts and by the artist's name; each group best first. */
  readonly groups: readonly Tiers[];
  /** Every hit matches one of these: the last tiers of the groups, without tiers that another tier contains. */
  readonly widest: Tiers;
  /** The hits as written that are found by their artist's name, which come last; undefined if they are not searched. */
  readonly byArtist: SearchExpression | undefined;
  /** No hit matches these; the broadest first. */
  readonly unwanted: readonly SearchExpression[];
}

/** The search of a text that nothing can match. */
export const NO_HITS: TextSearch = { groups: [], widest: [], byArtist: undefined, unwanted: [] };

/** What every hit of a search matches; undefined for one without hits. */
export function toWidest({
  widest,
  unwanted,
}: Pick<TextSearch, 'widest' | 'unwanted'>): SearchExpression | undefined {
  return widest.length === 0 ? undefined : exclude({ any: widest }, unwanted);
}

/** Excludes one after the other: SQLite tests each only with the rows that remain. */
export function exclude(wanted: SearchExpression, unwanted: readonly SearchExpression[]): SearchExpression {
  return unwanted.reduce<SearchExpression>((one, not) => ({ one, not }), wanted);
}

/** The most parts of a query that are combined with some of them left out. */
const PARTIAL_UNITS_MAX = 5;

/** The search for a text with these units of its words. Without groups if it has no words, and therefore no hits. */
export function toTextSearch(query: SearchQuery, units: readonly Unit[], vocabulary: Vocabulary): TextSearch {
  const { words, phrases, excluded } = query;
  // A text that is both wanted and excluded has no hits.
  if (excluded.some(({ text }) => isWanted(text, query))) return NO_HITS;
  const free = toSearchTerms(words);
  const fixed = phrases.flatMap(toPhraseTerms).slice(0, QUERY_TERMS_MAX - free.length);
  const unwanted = excluded.flatMap((word) => toUnwanted(word, vocabulary));
  if (free.length + fixed.length === 0) {
    const all = unwanted.length === 0 ? [] : [EVERYTHING];
    return { groups: all.length === 0 ? [] : [all], widest: all, byArtist: undefined, unwanted };
  }
  const key = toTitleKey([words, ...phrases].join(' '));
  const keys = key === '' ? [] : [key, ...(phrases.length > 0 ? [] : toQueryForms(key))];
  const exact = [...new Set(keys)].map(facets.titleIs);
  const literal = (['title', 'anywhere'] as const).map((field) =>
    toTermsExpression([...free, ...fixed], field),
  );
  const withFixed = (one: SearchExpression): SearchExpression =>
    fixed.length === 0 ? one : { all: [one, toTermsExpression(fixed, 'anywhere')] };
  const meant = units.every(({ isWeak }) => isWeak)
    ? []
    : (['title', 'same', 'related', 'artist'] as const).map((closeness) =>
        withFixed(toMeanings(units, closeness)),
      );
  const [inTitle, same, related, artist] = meant;
  const isOfAll = meant.length === 0 && units.some(({ isGiven }) => isGiven);
  const type = toTypeMeaning(units);
  // Of two equally good hits, the one of the searched type comes first.
  const byType = (...tiers: readonly SearchExpression[]) =>
    type === undefined ? tiers : tiers.flatMap((tier) => [{ all: [tier, type] }, tier]);
  // An artist's name, whatever its parts mean.
  const named: SearchExpression[] =
    key === '' || phrases.length > 0
      ? []
      : [FIELDS.artist + key, ...toQueryForms(key).map((form) => FIELDS.artistPronunciations + form)];
  const exactTier = exact.length === 0 ? [] : [{ any: exact }];
  const written = [...exactTier, ...literal.map((tier): SearchExpression => ({ any: [...exact, tier] }))];
  const everything = isOfAll ? [withFixed(EVERYTHING)] : [];
  const byName: Tiers =
    artist === undefined && named.length === 0
      ? []
      : [{ any: [...named, ...(artist === undefined ? [] : [artist])] }];
  return {
    groups: [
      written,
      ...(inTitle === undefined || same === undefined ? [] : [byType(inTitle, same)]),
      ...(related === undefined ? [] : [byType(related)]),
      ...everything.map((each) => byType(each)),
      ...(byName.length === 0 ? [] : [byName]),
    ],
    // What is found by the artist's name as well contains what is found by the meaning alone.
    widest: [...written.slice(-1), ...everything, ...byName],
    byArtist: { all: free.map((term) => toTermExpression(term, 'artist')) },
    unwanted,
  };
}

/** Whether an excluded text is a word or a phrase of the query. */
function isWanted(text: string, { words, phrases }: SearchQuery): boolean {
  const key = toTitleKey(text);
  return key !== '' && [...words.split(' '), ...phrases].some((wanted) => toTitleKey(wanted) === key);
}

/** The search for sounds that have some of the units, most of them first. */
export function toPartialTiers(units: readonly Unit[]): Tiers {
  const strong = units.filter(({ isWeak }) => !isWeak).slice(0, PARTIAL_UNITS_MAX);
  // For 戦闘曲 that can be looped, a hit for 戦闘 is more useful than any sound that can be looped.
  const named = strong.filter(({ fact }) => fact === undefined);
  const required = named.length > 0 ? named : strong;
  const tiers: SearchExpression[] = [];
  const meanings = required.map((unit) => toMeaning(unit, 'related'));
  for (
    let size = required.length < strong.length ? required.length : required.length - 1;
    size > 0;
    size -= 1
  ) {
    const choices = choose(meanings, size).map((all): SearchExpression => ({ all }));
    tiers.push({ any: [...tiers.slice(-1), ...choices] });
  }
  return tiers;
}

function choose<Item>(items: readonly Item[], size: number): Item[][] {
  if (size === 0) return [[]];
  return items.flatMap((item, index) =>
    choose(items.slice(index + 1), size - 1).map((rest) => [item, ...rest]),
  );
}

/** What an excluded word excludes: itself, and what a search for it would find. In quotes, only itself. */
function toUnwanted({ text, isPhrase }: ExcludedWord, vocabulary: Vocabulary): SearchExpression[] {
  const terms = toPhraseTerms(text);
  if (terms.length === 0) return [];
  const written = toTermsExpression(terms, 'anywhere');
  if (isPhrase) return [written];
  const units = toUnits(text, vocabulary);
  if (units.every(({ isGiven }) => isGiven)) return [EVERYTHING];
  return [...toAlternatives(toMeanings(units, 'related')).toReversed(), written];
}

function toAlternatives(expression: SearchExpression): SearchExpression[] {
  if (typeof expression === 'string') return [expression];
  if ('any' in expression) return expression.any.flatMap(toAlternatives);
  const isOne = 'all' in expression && expression.all.length === 1;
  return isOne ? expression.all.flatMap(toAlternatives) : [expression];
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
