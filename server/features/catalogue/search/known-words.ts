import { foldSearchText } from '../../../../contract/search-tokens.ts';
import { cached } from '../../../platform/database/statements/cached.ts';
import type { Database } from '../../../platform/database/open.ts';
import { listGenres, listSoundTypes } from '../genres/service.ts';
import { loadVocabulary } from './load-vocabulary.ts';
import { NearIndex } from './near-index.ts';
import type { WordGraph } from './words.ts';

/** A known word, and the texts that are compared. */
export interface KnownWord {
  readonly word: string;
  readonly folded: string;
  /** In hiragana; undefined if it is unknown. */
  readonly reading: string | undefined;
  /** Whether it is a sound type, genre or sub-genre. */
  readonly isGenre: boolean;
}

/** Known words, each by its folded spelling once. */
export interface KnownWords {
  readonly words: readonly KnownWord[];
  /** Where in `words` a text is that is spelled or read nearly like another one. */
  readonly near: readonly NearIndex[];
}

const KEPT_MS = 60_000;

/** Those of the program, which do not change. */
let ofProgram: (KnownWords & { readonly positions: ReadonlyMap<string, number> }) | undefined;

/** The words of types, genres and of the vocabulary. Their number is bounded by the limits of each. */
export function loadKnownWords(database: Database): Promise<KnownWords> {
  const load = async () => {
    const { graph, own } = await loadVocabulary(database);
    const types = (await listSoundTypes(database)).map(({ name }) => name);
    const genres = (await listGenres(database)).flatMap(({ name, sub_genres }) => [
      name,
      ...sub_genres.map((each) => each.name),
    ]);
    ofProgram ??= listWords(graph.words.map((word) => toKnownWord(word, graph, false)));
    return addWords(ofProgram, [
      ...own.words.map((word) => toKnownWord(word, graph, false)),
      ...[...types, ...genres].map((word) => toKnownWord(word, graph, true)),
    ]);
  };
  return cached(database, 'known words', load, KEPT_MS);
}

function toKnownWord(word: string, graph: WordGraph, isGenre: boolean): KnownWord {
  return { word, folded: foldSearchText(word), reading: graph.findReading(word), isGenre };
}

/** A later word replaces an earlier one that is folded to the same. */
function listWords(all: readonly KnownWord[]) {
  const words = [...new Map(all.map((known) => [known.folded, known])).values()];
  const near = new NearIndex();
  for (const [position, known] of words.entries()) addTexts(near, known, position);
  return { words, near: [near], positions: new Map(words.map(({ folded }, position) => [folded, position])) };
}

/** The words and further ones, by an index of their own: that of the first ones takes a while to make. */
function addWords(first: NonNullable<typeof ofProgram>, further: readonly KnownWord[]): KnownWords {
  const words = [...first.words];
  const positions = new Map<string, number>();
  const near = new NearIndex();
  for (const known of further) {
    const position = first.positions.get(known.folded) ?? positions.get(known.folded) ?? words.length;
    positions.set(known.folded, position);
    words[position] = known;
    addTexts(near, known, position);
  }
  return { words, near: [...first.near, near] };
}

function addTexts(near: NearIndex, { folded, reading }: KnownWord, position: number): void {
  near.add(folded, position);
  if (reading !== undefined) near.add(reading, position);
}
