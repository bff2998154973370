import { cached } from '../../../platform/database/statements/cached.ts';
import type { Database } from '../../../platform/database/open.ts';
import { findGivenUses } from '../../terms/terms.ts';
import { loadWords } from './load-words.ts';
import { createOwnWords } from './own-words.ts';
import type { OwnWords } from './own-words.ts';
import { parseSynonyms } from './synonyms.ts';
import type { SynonymGroup } from './synonyms.ts';
import type { Vocabulary } from './units.ts';
import { own } from '../tables.ts';

/** The name of the operator's cached words. */
export const OWN_WORDS_KEY = 'own words';
/** Changes by the operator take effect after this time. */
const CACHE_MS = 60_000;

/** The words of the program and of the operator. */
export async function loadVocabulary(database: Database): Promise<Vocabulary> {
  const [own, givenUses] = await Promise.all([loadOwnWords(database), findGivenUses(database)]);
  return { graph: loadWords(), own, givenUses };
}

/** A group of the operator that is not valid is left out. */
function loadOwnWords(database: Database): Promise<OwnWords> {
  const load = async () => {
    const rows = await own(database.db)
      .selectFrom('search_synonyms')
      .select('words')
      .orderBy('created_at')
      .execute();
    return createOwnWords(rows.flatMap(({ words }) => parseValid(words)));
  };
  return cached(database, OWN_WORDS_KEY, load, CACHE_MS);
}

/** What was valid for the version that stored it may not be for this one. */
function parseValid(words: string): SynonymGroup[] {
  try {
    return parseSynonyms(words);
  } catch {
    return [];
  }
}
