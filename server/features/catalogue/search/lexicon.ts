import { foldSearchText } from '../../../../contract/search/search-tokens.ts';
import { cached } from '../../../platform/database/statements/cached.ts';
import type { Database } from '../../../platform/database/open.ts';
import { listGenres, listSoundTypes } from '../genres/service.ts';
import { loadVocabulary } from './load-vocabulary.ts';
import { NearIndex } from './near-index.ts';
import type { WordGraph } from './words.ts';

/** A word that searches can suggest, and the texts that are compared. */
export interface LexiconWord {
  readonly word: string;
  readonly folded: string;
  /** In hiragana; undefined if it is unknown. */
  readonly reading: string | undefined;
  /** Whether it is a sound type, genre or sub-genre. */
  readonly isGenre: boolean;
}

/** The words that searches can suggest, each by its folded spelling once. */
export interface Lexicon {
  readonly words: readonly LexiconWord[];
  /** Where in `words` a text is that is spelled or read nearly like another one. */
  readonly near: readonly NearIndex[];
}

const CACHE_MS = 60_000;

/** The words that come with the program, which do not change. */
let programWords: (Lexicon & { readonly positions: ReadonlyMap<string, number> }) | undefined;

/** The words of types, genres and of the vocabulary. Their number is bounded by the limits of each. */
export function loadLexicon(database: Database): Promise<Lexicon> {
  const load = async () => {
    const { graph, own } = await loadVocabulary(database);
    const types = (await listSoundTypes(database)).map(({ name }) => name);
    const genres = (await listGenres(database)).flatMap(({ name, sub_genres }) => [
      name,
      ...sub_genres.map((each) => each.name),
    ]);
    programWords ??= listWords(graph.words.map((word) => toLexiconWord(word, graph, false)));
    return addWords(programWords, [
      ...own.words.map((word) => toLexiconWord(word, graph, false)),
      ...[...types, ...genres].map((word) => toLexiconWord(word, graph, true)),
    ]);
  };
  return cached(database, 'lexicon', load, CACHE_MS);
}

function toLexiconWord(word: string, graph: WordGraph, isGenre: boolean): LexiconWord {
  return { word, folded: foldSearchText(word), reading: graph.findReading(word), isGenre };
}

/** A later word replaces an earlier one that is folded to the same. */
function listWords(all: readonly LexiconWord[]) {
  const words = [...new Map(all.map((word) => [word.folded, word])).values()];
  const near = new NearIndex();
  for (const [position, word] of words.entries()) addTexts(near, word, position);
  return { words, near: [near], positions: new Map(words.map(({ folded }, position) => [folded, position])) };
}

/** Adds words to a lexicon with a further index: the index of `first` takes long to make and stays as it is. */
function addWords(first: NonNullable<typeof programWords>, further: readonly LexiconWord[]): Lexicon {
  const words = [...first.words];
  const positions = new Map<string, number>();
  const near = new NearIndex();
  for (const word of further) {
    const position = first.positions.get(word.folded) ?? positions.get(word.folded) ?? words.length;
    positions.set(word.folded, position);
    words[position] = word;
    addTexts(near, word, position);
  }
  return { words, near: [...first.near, near] };
}

function addTexts(near: NearIndex, { folded, reading }: LexiconWord, position: number): void {
  near.add(folded, position);
  if (reading !== undefined) near.add(reading, position);
}
