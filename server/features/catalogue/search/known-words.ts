import { foldSearchText } from '../../../../contract/search-tokens.ts';
import { cached } from '../../../platform/database/database.ts';
import type { Database } from '../../../platform/database/database.ts';
import { listGenres, listSoundTypes } from '../genres/service.ts';
import { loadVocabulary } from './load-vocabulary.ts';

/** A known word, and the texts that are compared. */
export interface KnownWord {
  readonly word: string;
  readonly folded: string;
  /** In hiragana; undefined if it is unknown. */
  readonly reading: string | undefined;
  /** Whether it is a sound type, genre or sub-genre. */
  readonly isGenre: boolean;
}

const KEPT_MS = 60_000;

/** The words of types, genres and of the vocabulary. Their number is bounded by the limits of each. */
export function loadKnownWords(database: Database): Promise<readonly KnownWord[]> {
  const load = async () => {
    const { graph, own } = await loadVocabulary(database);
    const types = (await listSoundTypes(database)).map(({ name }) => name);
    const genres = (await listGenres(database)).flatMap(({ name, sub_genres }) => [
      name,
      ...sub_genres.map((each) => each.name),
    ]);
    const known = new Map<string, KnownWord>();
    const add = (words: readonly string[], isGenre: boolean) => {
      for (const word of words) {
        const folded = foldSearchText(word);
        known.set(folded, { word, folded, reading: graph.findReading(word), isGenre });
      }
    };
    add([...graph.words, ...own.words], false);
    add([...types, ...genres], true);
    return [...known.values()];
  };
  return cached(database, 'known words', load, KEPT_MS);
}
