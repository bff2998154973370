import { toHiragana } from 'wanakana';
import {
  QUERY_TERMS_MAX,
  toQueryPieces,
  toSearchTerm,
  toSearchTerms,
  toTitleKey,
} from '../../../../contract/search-tokens.ts';
import type { QueryPiece } from '../../../../contract/search-tokens.ts';
import type { SearchExpression } from '../../../platform/database/database.ts';
import { toQueryPronunciations } from './pronunciations.ts';
import type { SynonymGroup } from './synonyms.ts';
import { toTermExpression, toTermsExpression } from './tokens.ts';

/** Words that are found for one another. */
export interface Synonyms {
  /** The other words of the groups of a word, which is folded; [] for a word without any. */
  find(word: string): readonly string[];
  /** All words of the groups of a word that is read like this, in hiragana. */
  findByReading(kana: string): readonly string[];
  /** How a word is read, in hiragana; undefined for an unknown word and one without kanji. */
  findReading(word: string): string | undefined;
  /** Words of which it is a kind; [] for an unknown word. */
  findBroader(word: string): readonly string[];
  /** All words. */
  readonly words: readonly string[];
  /** The longest word at the start of a text that has synonyms; undefined if there is none. */
  findPrefix(text: string): string | undefined;
}

/** Where a meaning is searched: in names, or in names and the description. */
type Place = 'names' | 'anywhere';

/** A query with more words or characters is a sentence, which is searched as it is written. */
const UNITS_MAX = 4;
const QUERY_LENGTH_MAX = 20;
/** Of all words of a query together, which bounds its cost. */
const SYNONYMS_MAX = 24;
/** `coffee shop` is one word with synonyms. */
const JOINED_MAX = 3;
const WORD_LENGTH_MAX = 24;
/** Between two words of a run, or at its end: 怖い「な」曲, 雨「の」音. */
const PARTICLES = /^[のなにでとがをはもや]+|[のなにでとがをはもや]+$/g;

/** Groups in which every word stands for every other one. `readings` are those of words with kanji. */
export function createSynonyms(
  groups: readonly SynonymGroup[],
  readings: ReadonlyMap<string, string> = new Map(),
): Synonyms {
  const byReading = new Map<string, Set<string>>();
  const others = new Map<string, Set<string>>();
  const broader = new Map<string, Set<string>>();
  for (const { words, broader: category } of groups) {
    for (const word of words) {
      const key = toTitleKey(word);
      if (category !== undefined) broader.set(key, (broader.get(key) ?? new Set()).add(category));
      const known = others.get(key) ?? new Set();
      for (const other of words) if (other !== word) known.add(other);
      others.set(key, known);
      const kana = readings.get(word);
      if (kana !== undefined) byReading.set(kana, new Set([...(byReading.get(kana) ?? []), ...words]));
    }
  }
  return {
    find: (word) => [...(others.get(toTitleKey(word)) ?? [])],
    findByReading: (kana) => [...(byReading.get(kana) ?? [])],
    findReading: (word) => readings.get(word),
    findBroader: (word) => [...(broader.get(toTitleKey(word)) ?? [])],
    words: [...new Set(groups.flatMap(({ words }) => words))],
    findPrefix(text) {
      const characters = [...text];
      for (let length = Math.min(characters.length, WORD_LENGTH_MAX); length > 0; length -= 1) {
        const word = characters.slice(0, length).join('');
        if (others.has(word)) return word;
      }
      return undefined;
    },
  };
}

/**
 * Requires every word of a query in one of its spellings, pronunciations or synonyms; undefined if no word has any besides
 * its own spelling.
 */
export function toMeaningExpression(
  words: string,
  synonyms: Synonyms,
  place: Place,
): SearchExpression | undefined {
  const units = toUnits(toQueryPieces(words).slice(0, QUERY_TERMS_MAX), synonyms);
  if (units.length > UNITS_MAX || [...words].length > QUERY_LENGTH_MAX) return undefined;
  const most = Math.ceil(SYNONYMS_MAX / units.length);
  const expanded = units.map((unit) => toMeanings(unit, synonyms, place, most));
  if (expanded.every((meanings) => meanings.length === 0)) return undefined;
  return {
    all: units.map((unit, index) => ({ any: [asWritten(unit, place), ...(expanded[index] ?? [])] })),
  };
}

/** Parts of a query that have one meaning together. */
type Unit = readonly QueryPiece[];

function toUnits(pieces: readonly QueryPiece[], synonyms: Synonyms): Unit[] {
  const units: Unit[] = [];
  for (let at = 0; at < pieces.length;) {
    const longest = [JOINED_MAX, 2].find((length) => {
      const unit = pieces.slice(at, at + length);
      return unit.length === length && synonyms.find(toText(unit)).length > 0;
    });
    const unit = pieces.slice(at, at + (longest ?? 1));
    units.push(unit);
    at += unit.length;
  }
  return units;
}

const toText = (unit: Unit): string => unit.map(({ text }) => text).join(' ');

function asWritten(unit: Unit, place: Place): SearchExpression {
  return toTermsExpression(unit.map(toSearchTerm), place);
}

/** What a part of a query can mean besides its own spelling. */
function toMeanings(unit: Unit, synonyms: Synonyms, place: Place, most: number): SearchExpression[] {
  const text = toText(unit);
  const [first] = unit;
  const pronunciations = toQueryPronunciations(text, toKana);
  const others = new Set([
    ...synonyms.find(text),
    ...pronunciations.flatMap((kana) => synonyms.findByReading(kana)),
  ]);
  const meanings = [
    ...toPronunciationsExpression(pronunciations, place),
    ...[...others].slice(0, most).map((word) => toSynonymExpression(word, place)),
  ];
  return meanings.length === 0 && first?.kind === 'run'
    ? splitRun(first.text, synonyms, place, most)
    : meanings;
}

function toPronunciationsExpression(pronunciations: readonly string[], place: Place): SearchExpression[] {
  const field = place === 'names' ? 'namePronunciations' : 'pronunciations';
  return pronunciations.map((kana) => toTermExpression([[kana]], field));
}

function toSynonymExpression(word: string, place: Place): SearchExpression {
  const literal = toTermsExpression(toSearchTerms(word), place);
  const pronunciations = toPronunciationsExpression(
    toQueryPronunciations(toTitleKey(word), () => ''),
    place,
  );
  return pronunciations.length === 0 ? literal : { any: [literal, ...pronunciations] };
}

/** 怖い曲 is 怖い, or a synonym of it, and 曲. */
function splitRun(run: string, synonyms: Synonyms, place: Place, most: number): SearchExpression[] {
  const each = Math.ceil(most / 2);
  const parts: SearchExpression[] = [];
  let rest = '';
  let hasSynonyms = false;
  const addRest = () => {
    const text = rest.replace(PARTICLES, '');
    if (text !== '') parts.push(toTermExpression(toSearchTerm({ kind: 'run', text }), place));
    rest = '';
  };
  const characters = [...run];
  for (let at = 0; at < characters.length;) {
    const word = synonyms.findPrefix(characters.slice(at).join(''));
    if (word === undefined) {
      rest += characters[at];
      at += 1;
      continue;
    }
    addRest();
    hasSynonyms = true;
    const own = toTermExpression(toSearchTerm({ kind: 'run', text: word }), place);
    const others = synonyms.find(word).slice(0, each);
    parts.push({ any: [own, ...others.map((other) => toSynonymExpression(other, place))] });
    at += [...word].length;
  }
  addRest();
  return hasSynonyms ? [{ all: parts }] : [];
}

/** What a word in romaji is in hiragana; what is no syllable stays in Latin letters. */
export function toKana(romaji: string): string {
  return toHiragana(romaji.replaceAll('tch', 'cch'));
}
