import { setImmediate } from 'node:timers/promises';
import { LRUCache } from 'lru-cache';
import type { SearchNotes } from '../../../../contract/search/search-notes.ts';
import { cached } from '../../../platform/database/statements/cached.ts';
import type { Database } from '../../../platform/database/open.ts';
import { toNetworkGroup } from '../../../platform/http/address-limits.ts';
import { Busy } from '../../../platform/limits/busy.ts';
import { findCaller } from '../../../platform/limits/processor-time.ts';
import { Turns } from '../../../platform/turns.ts';
import { loadVocabulary } from './load-vocabulary.ts';
import { toMeaning } from './meaning.ts';
import { listNear } from './near-words.ts';
import { toKanaReading, toQueryForms } from './pronunciations.ts';
import { parseQuery } from './query.ts';
import type { SearchQuery } from './query.ts';
import { readQueryWords } from './query-words.ts';
import { isKana } from './romaji.ts';
import { NO_HITS, toPartialTiers, toTextSearch, toWidest } from './text.ts';
import type { TextSearch } from './text.ts';
import { FIELDS } from './tokens.ts';
import { toTypoKeys } from './typos.ts';
import { findTyped, toFoldedParts } from './typed-words.ts';
import { toUnits } from './units.ts';
import type { Concept } from './words.ts';
import type { Unit, Vocabulary } from './units.ts';

/** The search for a text, and notes on it for people. */
export interface Understanding {
  readonly search: TextSearch;
  /** undefined if there is nothing to say. */
  readonly notes: SearchNotes | undefined;
}

/** A text of this length is probably copied: if it is found as written, nothing else is searched. */
const COPIED_LENGTH_MIN = 20;
/** With fewer hits, sounds that have only some of the words are offered as well. */
const HITS_ENOUGH = 3;
/** Parts of a query that are searched by themselves, if it finds nothing. */
const REPAIRED_MAX = 6;
const CANDIDATES_MAX = 6;
/** How many questions a query that finds nothing may have for the index before its search. */
const QUESTIONS_MAX = 24;
/** How many levels of kinds are searched. */
const LEVELS_MAX = 3;
/** What a text means changes with the operator's words only. */
const CACHE_MS = 60_000;
/** The name of the cached readings of texts. */
export const UNDERSTOOD_KEY = 'understood texts';
const CACHE_MAX = 500;
/** A network has one query repaired at a time: that costs as much as many searches. */
const repairs = new Turns({
  parallel: 4,
  perKey: 1,
  waitingMax: 64,
  waitMs: 2_000,
  toRefusal: () => new Busy(),
});
const NO_NOTES: SearchNotes = { facts: [], replaced: [], left_out: [], is_partial: false };

/** Reads a text as it is: for a search in what is not public, of which nobody else may learn. */
export async function read(database: Database, text: string): Promise<TextSearch> {
  return (await parseText(database, text)).search;
}

async function parseText(database: Database, text: string) {
  const vocabulary = await loadVocabulary(database);
  const query = parseQuery(text.toWellFormed());
  const units = toUnits(query.words, vocabulary);
  return { vocabulary, query, units, search: toTextSearch(query, units, vocabulary) };
}

/** Reads a text, and searches for something near it if visitors find nothing. A listing and the numbers beside its filters share this. */
export async function understand(database: Database, text: string): Promise<Understanding> {
  const open = async () => new LRUCache<string, Promise<Understanding>>({ max: CACHE_MAX });
  const cache = await cached(database, UNDERSTOOD_KEY, open, CACHE_MS);
  const cachedReading = cache.get(text);
  if (cachedReading !== undefined) return cachedReading;
  const reading = readText(database, text).then((found) => {
    // A new sound may change the result.
    if (!found.hasEnough) cache.delete(text);
    return tidy(found, text);
  });
  cache.set(text, reading);
  reading.catch(() => cache.delete(text));
  return reading;
}

/** A text and the findings about it, while it is being read. */
interface Reading {
  readonly search: TextSearch;
  readonly notes: SearchNotes;
  readonly hasEnough?: boolean;
}

/** Names the words as they were typed. */
function tidy({ search, notes }: Reading, text: string): Understanding {
  const { facts, replaced, left_out, is_partial } = notes;
  if (facts.length + replaced.length + left_out.length === 0 && !is_partial)
    return { search, notes: undefined };
  const parts = toFoldedParts(text);
  const withWord = <Note extends { word: string }>(note: Note) => ({
    ...note,
    word: findTyped(parts, note.word),
  });
  return {
    search,
    notes: {
      facts: facts.map(withWord),
      replaced: replaced.map(withWord),
      left_out: left_out.map((word) => findTyped(parts, word)),
      is_partial,
    },
  };
}

async function readText(database: Database, text: string): Promise<Reading> {
  const { vocabulary, query, units, search } = await parseText(database, text);
  const notes = { ...NO_NOTES, facts: toFactNotes(units) };
  const widest = toWidest(search);
  if (query.words === '' || widest === undefined) return { search, notes };
  if (query.words.length >= COPIED_LENGTH_MIN) {
    const written = { ...search, groups: search.groups.slice(0, 1), widest: search.widest.slice(0, 1) };
    const isFound = await database.search.count(database.db, toWidest(written) ?? widest, 1);
    if (isFound > 0) return { search: written, notes, hasEnough: true };
  }
  const hits = await database.search.count(database.db, widest, HITS_ENOUGH);
  if (hits >= HITS_ENOUGH) return { search, notes, hasEnough: true };
  if (hits > 0) return addPartial({ search, notes }, query, units);
  return repairs.run(async () => {
    // Others are answered between two repairs.
    await setImmediate();
    return repair(database, query, units, vocabulary, notes);
  }, toNetworkGroup(findCaller()));
}

function toFactNotes(units: readonly Unit[]): SearchNotes['facts'] {
  return units.flatMap(({ text, fact }) =>
    fact === undefined ? [] : [{ word: text, name: fact.name, values: [...fact.values] }],
  );
}

/** Sounds that have some of the words, behind those that have all. */
function addPartial(reading: Reading, { excluded, phrases }: SearchQuery, units: readonly Unit[]): Reading {
  const tiers = toPartialTiers(units);
  if (tiers.length === 0 || excluded.length + phrases.length > 0) return reading;
  const { search, notes } = reading;
  return {
    search: {
      ...search,
      groups: [...search.groups, tiers],
      widest: [...search.widest, ...tiers.slice(-1)],
    },
    notes: { ...notes, is_partial: true },
  };
}

/** Replaces each word that finds nothing by one that does, or leaves it out. */
async function repair(
  database: Database,
  query: SearchQuery,
  units: readonly Unit[],
  vocabulary: Vocabulary,
  notes: SearchNotes,
): Promise<Reading> {
  const strong = units.filter(({ isWeak }) => !isWeak).slice(0, REPAIRED_MAX);
  let questions = 0;
  const finds = async (all: readonly Unit[]) => {
    questions += 1;
    if (questions > QUESTIONS_MAX) return false;
    const question = { all: all.map((unit) => toMeaning(unit, 'artist')) };
    return (await database.search.count(database.db, question, 1)) > 0;
  };
  const found = new Set<Unit>();
  for (const unit of strong) if (await finds([unit])) found.add(unit);
  const left: Unit[] = [];
  const replaced: SearchNotes['replaced'] = [];
  const left_out: string[] = [];
  for (const [at, unit] of strong.entries()) {
    const others = [...left, ...strong.slice(at + 1).filter((other) => found.has(other))];
    const repaired: Repair | undefined = found.has(unit)
      ? { units: [unit] }
      : await repairUnit(unit, vocabulary, finds, others, database);
    if (repaired === undefined) left_out.push(unit.text);
    else {
      left.push(...repaired.units);
      left_out.push(...(repaired.leftOut ?? []));
    }
    if (repaired?.replaced !== undefined) replaced.push({ word: unit.text, ...repaired.replaced });
  }
  if (left.length === 0) return { search: NO_HITS, notes };
  const words = left.map(({ text }) => text).join(' ');
  // As it is, the query finds nothing: only sounds that have some of its words are left to be searched.
  const isAsItWas = left.length === strong.length && left.every((unit, at) => unit === strong[at]);
  const search = isAsItWas ? NO_HITS : toTextSearch({ ...query, words }, left, vocabulary);
  return addPartial(
    { search, notes: { ...notes, facts: toFactNotes(left), replaced, left_out } },
    query,
    left,
  );
}

interface Repair {
  readonly units: readonly Unit[];
  /** Parts of the word that find nothing. */
  readonly leftOut?: readonly string[];
  /** What replaces it; undefined for another spelling. */
  readonly replaced?: Pick<SearchNotes['replaced'][number], 'by' | 'why'>;
}

/** What to search instead of a word that finds nothing; undefined if there is nothing. */
async function repairUnit(
  unit: Unit,
  vocabulary: Vocabulary,
  finds: (units: readonly Unit[]) => Promise<boolean>,
  others: readonly Unit[],
  database: Database,
): Promise<Repair | undefined> {
  const read = await readUnit(unit, vocabulary);
  const findBroader = async (): Promise<Repair | undefined> => {
    for (const by of listBroader([unit, ...read.flat()], vocabulary).slice(0, CANDIDATES_MAX)) {
      const units = toUnits(by, vocabulary);
      if (await finds(units)) return { units, replaced: { by, why: 'broader' } };
    }
    return undefined;
  };
  // The reading of a word with a concept would find words that only sound the same.
  const ofConcepts = unit.concepts.length > 0 ? await findBroader() : undefined;
  if (ofConcepts !== undefined) return ofConcepts;
  const [whole, parts = []] = read;
  if (whole !== undefined && (await finds(whole))) return { units: whole };
  const broader = await findBroader();
  if (broader !== undefined) return broader;
  const isSentence = unit.text.length > 4 && /\p{Script=Han}/u.test(unit.text);
  const inParts = isSentence ? await findParts(parts, finds) : undefined;
  if (inParts !== undefined) return inParts;
  // A mistake in one of several words is taken for one only if the others confirm it.
  const forms = [unit.text, ...[unit, ...read.flat()].flatMap((each) => each.forms)].filter(
    (form) => form === unit.text || isKana(form),
  );
  for (const by of await listNear(database, forms)) {
    const units = toUnits(by, vocabulary);
    if (await finds([...units, ...others])) return { units, replaced: { by, why: 'near' } };
  }
  const tokens = forms.flatMap(toTypoKeys).map((key) => FIELDS.typos + key);
  const typo = { ...unit, tokens };
  if (tokens.length > 0 && (await finds([typo, ...others])))
    return { units: [typo], replaced: { by: unit.text, why: 'near' } };
  return findParts(parts, finds);
}

/** The parts that find something; undefined if none does. */
async function findParts(
  parts: readonly Unit[],
  finds: (units: readonly Unit[]) => Promise<boolean>,
): Promise<Repair | undefined> {
  const strong = parts.filter(({ isWeak }) => !isWeak).slice(0, REPAIRED_MAX);
  const found: Unit[] = [];
  for (const part of strong) if (await finds([part])) found.push(part);
  if (found.length === 0) return undefined;
  const missing = strong.filter((part) => !found.includes(part));
  return { units: found, leftOut: missing.map(({ text }) => text) };
}

/** Words for what the parts of a query are kinds of, the nearest first. */
function listBroader(units: readonly Unit[], { own }: Vocabulary): string[] {
  const concepts = units.flatMap((unit) => unit.concepts);
  const listKinds = (kinds: readonly Concept[]) => kinds.flatMap(({ targets }) => targets['kind of']);
  const levels = [listKinds(concepts)];
  for (let level = 1; level < LEVELS_MAX; level += 1) levels.push(listKinds(levels[level - 1] ?? []));
  const words = levels.flat().map((concept) => concept.words[0] ?? '');
  return [...new Set([...units.flatMap(({ text }) => own.findBroader(text)), ...words])];
}

/**
 * Other ways to read a part of a query: as the dictionary reads it, because other spellings have the same reading and
 * other forms the same base; and as the words that it consists of.
 */
async function readUnit(unit: Unit, vocabulary: Vocabulary): Promise<(readonly Unit[])[]> {
  const { graph } = vocabulary;
  if (unit.pieces.length > 1) return [unit.pieces.flatMap(({ text }) => toUnits(text, vocabulary))];
  if (!/\p{Script=Han}/u.test(unit.text)) return [];
  const words = (await readQueryWords(unit.text)) ?? [];
  const content = words.filter(({ isContent }) => isContent);
  const kana = toKanaReading(words);
  const forms = kana === undefined || kana === unit.text ? [] : toQueryForms(kana);
  const concepts = [
    ...forms.flatMap((form) => graph.findByReading(form)),
    ...(content.length === 1 ? content.flatMap(({ base }) => graph.find(base)) : []),
  ];
  const whole = { ...unit, forms: [...unit.forms, ...forms], concepts: [...unit.concepts, ...concepts] };
  const parts = content.length < 2 ? [] : content.flatMap(({ base }) => toUnits(base, vocabulary));
  return [[whole], parts].filter((units) => units.length > 0);
}
