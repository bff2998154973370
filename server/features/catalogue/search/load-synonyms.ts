import { readFileSync } from 'node:fs';
import { cached } from '../../../platform/database/database.ts';
import type { Database } from '../../../platform/database/database.ts';
import { createSynonyms } from './meaning.ts';
import type { Synonyms } from './meaning.ts';
import { parseSynonyms } from './synonyms.ts';
import type { SynonymGroup } from './synonyms.ts';

/** The name of the cached synonyms. */
export const SYNONYMS_KEY = 'synonyms';
/** Changes by the operator take effect after this time. */
const KEPT_MS = 60_000;

let own:
  { readonly groups: readonly SynonymGroup[]; readonly readings: ReadonlyMap<string, string> } | undefined;

/** The groups that come with the program, and how their words with kanji are read. */
function readOwnGroups() {
  return (own ??= {
    groups: parseSynonyms(readText('synonyms.txt')),
    readings: new Map(
      readText('synonym-readings.txt')
        .trim()
        .split('\n')
        .map((line) => line.split('\t') as [string, string]),
    ),
  });
}

function readText(name: string): string {
  return readFileSync(new URL(name, import.meta.url), 'utf8');
}

/** The synonyms of the program and the operator. A group of the operator that is not valid is left out. */
export function loadSynonyms(database: Database): Promise<Synonyms> {
  const load = async () => {
    const rows = await database.db
      .selectFrom('search_synonyms')
      .select('words')
      .orderBy('created_at')
      .execute();
    const { groups, readings } = readOwnGroups();
    return createSynonyms([...groups, ...rows.flatMap(({ words }) => parseValid(words))], readings);
  };
  return cached(database, SYNONYMS_KEY, load, KEPT_MS);
}

/** What was valid for the version that stored it may not be for this one. */
function parseValid(words: string): SynonymGroup[] {
  try {
    return parseSynonyms(words);
  } catch {
    return [];
  }
}
