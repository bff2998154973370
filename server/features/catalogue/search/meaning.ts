import { toSearchTerm, toSearchTerms } from '../../../../contract/search/search-tokens.ts';
import type { SearchExpression } from '../../../platform/database/search-index/search-expression.ts';
import type { WordFact } from './fact-words.ts';
import { isKana } from './romaji.ts';
import { toSoundToken } from './text-concepts.ts';
import { FIELDS, facets, toTermExpression, toTermsExpression } from './tokens.ts';
import type { Unit } from './units.ts';

/**
 * How far from its spelling a part of a query may be found. `title`: in the title, by its reading or meaning. `same`: anywhere, by
 * its reading, meaning or what it says about facts. `related`: also what is a kind or part of it, is used for it or sounds like
 * it. `artist`: also by the artist's name.
 */
export type Closeness = 'title' | 'same' | 'related' | 'artist';

const MUSIC = ['BGM', '音楽'];
const EFFECTS = ['効果音', 'SE'];
const TYPE_NAMES: ReadonlyMap<string, readonly string[]> = new Map([
  ...['曲', '音楽', 'bgm', 'みゅーじっく', 'music', 'song', 'songs'].map((word) => [word, MUSIC] as const),
  ...['音', '効果音', 'se', 'sfx', 'effect', 'effects'].map((word) => [word, EFFECTS] as const),
]);

/** Limits for one part of a query, which bound its cost. */
const OTHERS_MAX = 24;
const CONCEPTS_MAX = 6;

/** What a part of a query can mean. */
export function toMeaning(unit: Unit, closeness: Closeness): SearchExpression {
  const keys = [
    ...new Set(unit.concepts.slice(0, CONCEPTS_MAX).map(({ key }) => key)),
    ...(unit.sound === undefined ? [] : [toSoundToken(unit.sound)]),
  ];
  const inField = (field: keyof typeof FIELDS, words: readonly string[]) =>
    words.map((word) => FIELDS[field] + word);
  if (closeness === 'title')
    return {
      any: [
        ...toWrittenExpressions(unit, 'title'),
        ...inField('titlePronunciations', unit.forms),
        ...inField('titleConcepts', keys),
      ],
    };
  return {
    any: [
      ...toWrittenExpressions(unit, 'anywhere'),
      ...unit.others.slice(0, OTHERS_MAX).map((word) => toTermsExpression(toSearchTerms(word), 'anywhere')),
      ...inField('pronunciations', unit.forms),
      ...inField('concepts', keys),
      ...toFactTokens(unit.fact),
      ...(unit.tokens ?? []),
      ...(closeness === 'same' ? [] : inField('relatedConcepts', keys)),
      ...(closeness === 'artist'
        ? [...inField('artistPronunciations', unit.forms), ...toWrittenExpressions(unit, 'artist').slice(1)]
        : []),
    ],
  };
}

function toFactTokens(fact: WordFact | undefined): string[] {
  if (fact === undefined) return [];
  const { name, values } = fact;
  return values.map((value) =>
    name === 'is_ai_generated' ? facets.aiGenerated(value === 'true') : facets.fact(name, value),
  );
}

/** Requires every part of a query that has a meaning of its own. */
export function toMeanings(units: readonly Unit[], closeness: Closeness): SearchExpression {
  const strong = units.filter(({ isWeak }) => !isWeak);
  return { all: (strong.length > 0 ? strong : units).map((unit) => toMeaning(unit, closeness)) };
}

/** The types that weak words mean, by the names that sites give them: 曲 for BGM. undefined if they mean none. */
export function toTypeMeaning(units: readonly Unit[]): SearchExpression | undefined {
  const names = units.flatMap(({ isWeak, text }) => (isWeak ? (TYPE_NAMES.get(text) ?? []) : []));
  return names.length === 0
    ? undefined
    : { any: names.map((name) => toTermsExpression(toSearchTerms(name), 'names')) };
}

function toWrittenExpressions(unit: Unit, field: 'title' | 'anywhere' | 'artist'): SearchExpression[] {
  const written = { all: unit.pieces.map((piece) => toTermExpression(toSearchTerm(piece), field)) };
  const kana = unit.forms.filter((form) => form !== unit.text && isKana(form, 3));
  return [written, ...kana.map((text) => toTermExpression(toSearchTerm({ kind: 'run', text }), field))];
}
