import type { SearchTerm } from '../../../../contract/search/search-tokens.ts';
import { toNameTokens, toTextTokens, toTitleKey } from '../../../../contract/search/search-tokens.ts';
import type { RankColumn } from '../../../platform/database/search-index/search-index.ts';
import type { SearchExpression } from '../../../platform/database/search-index/search-expression.ts';
import { FACT_NAMES } from '../../../../contract/sounds/sound-facts.ts';
import type { FactName, FactValues } from '../../../../contract/sounds/sound-facts.ts';
import { toLevel } from '../popularity.ts';

/**
 * The searchable fields of a sound. Every token begins with a letter for its field, so that one index answers “in the
 * title” and “anywhere”, and filters are tokens as well.
 */
export const FIELDS = {
  /** Whole words of the title. */
  title: 't',
  /** Title, artist, type and genres, and the prefixes of their words. */
  names: 'n',
  /** All of these and the description. */
  anywhere: 'x',
  /** The artist's name. It is also one of the names, so that words of several fields match together. */
  artist: 'a',
  /** How it is read. */
  artistPronunciations: 'a0',
  /** How the words of the title are read. */
  titlePronunciations: 'r',
  /** How those of the title, type, genres and description are read. */
  pronunciations: 'k',
  /** What the title is about (`words.ts`). */
  titleConcepts: 'j',
  /** What the title, type, genres, description and facts are about. */
  concepts: 'w',
  /** What these concepts are kinds or parts of, are used for and sound like. */
  relatedConcepts: 'q',
  /** Words with a mistake in them (`typos.ts`). */
  typos: '0',
} as const;
export type Field = keyof typeof FIELDS;

const RANK_LETTERS: Readonly<Record<RankColumn, string>> = {
  download_count: 'd',
  favorite_count: 'f',
  popularity: 'h',
};
const FACT_LETTERS: Readonly<Record<FactName, string>> = {
  length: 'l',
  tempo: 'b',
  key: 'c',
  loopable: 'o',
  vocals: 'v',
  mood: 'm',
  use: 'p',
  content_id: 's',
};
const PRIVATE_LETTER = 'z';

export interface SearchDocument {
  readonly seq: number;
  readonly title: string;
  readonly description: string;
  readonly artistName: string;
  /** In kana, as the artist has given it; or ''. */
  readonly artistReading: string;
  readonly typeName: string;
  /** Of the sound's sub-genres and their genres. */
  readonly genreNames: readonly string[];
  readonly artistId: string;
  readonly typeId: number;
  readonly subGenreIds: readonly number[];
  readonly isAiGenerated: boolean;
  readonly facts: FactValues;
  readonly isPublished: boolean;
  readonly counts: Readonly<Record<RankColumn, number>>;
  /** The tokens of its words as they are read (`pronunciations.ts`). Absent until they exist for its present texts. */
  readonly readTokens?: readonly string[] | undefined;
}

export const facets = {
  type: (id: number) => `y${id}`,
  subGenre: (id: number) => `g${id}`,
  artist: (id: string) => `u${id.toLowerCase()}`,
  aiGenerated: (isAi: boolean) => (isAi ? 'i1' : 'i0'),
  fact: (name: FactName, value: string) => FACT_LETTERS[name] + value.replaceAll('-', ''),
  titleIs: (titleKey: string) => `e${titleKey}`,
  /** Level 0 is a count of exactly 0; sounds carry every other level that they have reached. */
  level: (column: RankColumn, level: number) => `${RANK_LETTERS[column]}${level}`,
};

/** All public sounds; with `mapTokens`, all private ones. */
export const EVERYTHING: SearchExpression = { any: [facets.aiGenerated(false), facets.aiGenerated(true)] };

/**
 * All tokens of a sound. Those of a private sound get a letter in front, so that no public query matches them; see
 * `withPrivate`.
 */
export function toSearchTokens(sound: SearchDocument): string[] {
  const title = toNameTokens(sound.title);
  const names = [sound.artistName, sound.typeName, ...sound.genreNames].map(toNameTokens);
  const inNames = new Set([title, ...names].flatMap(({ whole, prefixes }) => [...whole, ...prefixes]));
  const anywhere = inNames.union(toTextTokens(sound.description));
  const titleKey = toTitleKey(sound.title);
  const tokens = [
    ...Array.from(title.whole, (token) => FIELDS.title + token),
    ...Array.from(inNames, (token) => FIELDS.names + token),
    ...Array.from(anywhere, (token) => FIELDS.anywhere + token),
    ...Array.from(toArtistTokens(sound.artistName), (token) => FIELDS.artist + token),
    ...(sound.readTokens ?? []),
    ...(titleKey === '' ? [] : [facets.titleIs(titleKey)]),
    facets.type(sound.typeId),
    facets.artist(sound.artistId),
    facets.aiGenerated(sound.isAiGenerated),
    ...sound.subGenreIds.map(facets.subGenre),
    ...FACT_NAMES.flatMap((name) => sound.facts[name].map((value) => facets.fact(name, value))),
    ...Object.entries(sound.counts).flatMap(([column, count]) => toLevelTokens(column as RankColumn, count)),
  ];
  return sound.isPublished ? tokens : tokens.map(toPrivate);
}

/** A name as it is written, and as one word: “Mugi & Cha” is found as mugicha. */
function toArtistTokens(name: string): Set<string> {
  const { whole, prefixes } = toNameTokens(name);
  const joined = toNameTokens(toTitleKey(name));
  return new Set([...whole, ...prefixes, ...joined.whole, ...joined.prefixes]);
}

/** Requires every word of a query in the given field. */
export function toTermsExpression(terms: readonly SearchTerm[], field: Field): SearchExpression {
  return { all: terms.map((term) => toTermExpression(term, field)) };
}

/** Requires one word in the given field. */
export function toTermExpression(alternatives: SearchTerm, field: Field): SearchExpression {
  const letter = FIELDS[field];
  return { any: alternatives.map((tokens) => ({ all: tokens.map((token) => letter + token) })) };
}

/** The form of a token in private sounds. */
export function toPrivate(token: string): string {
  return PRIVATE_LETTER + token;
}

function toLevelTokens(column: RankColumn, count: number): string[] {
  const level = toLevel(count);
  if (level === 0) return [facets.level(column, 0)];
  return Array.from({ length: level }, (_, below) => facets.level(column, below + 1));
}
