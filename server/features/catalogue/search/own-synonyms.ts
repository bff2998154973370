import { invalidateCache } from '../../../platform/database/statements/cached.ts';
import { randomId } from '../../../platform/database/statements/random-id.ts';
import type { Database } from '../../../platform/database/open.ts';
import { Problem, notFound } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/http/context.ts';
import { recordAction, requireStaff } from '../../staff/actions.ts';
import type { RecordedAction } from '../../staff/actions.ts';
import { OWN_WORDS_KEY } from './load-vocabulary.ts';
import { UNDERSTOOD_KEY } from './understanding.ts';
import { parseSynonyms } from './synonyms.ts';
import type { Handle } from '../../../platform/database/handle.ts';
import { own } from '../tables.ts';

type SynonymDeps = Pick<Platform, 'database' | 'clock' | 'catalogueChanged'>;

export interface OwnSynonyms {
  readonly id: string;
  /** Separated by a comma and a space. */
  readonly words: string;
}

/** Every search reads all of them. */
const GROUPS_MAX = 1_000;

/** The groups that the operator has added, oldest first. */
export function selectOwnSynonyms({ db }: Database): Promise<OwnSynonyms[]> {
  return own(db)
    .selectFrom('search_synonyms')
    .select(['id', 'words'])
    .orderBy('created_at')
    .orderBy('id')
    .execute();
}

/**
 * Adds a group in the format of `parseSynonyms` and returns its id. Searches of other processes use it within a
 * minute. Throws `Problem` 400 for a group that is not valid or too many, and 403.
 */
export async function addSynonyms(
  { database, clock, catalogueChanged }: SynonymDeps,
  staffId: string,
  line: string,
): Promise<string> {
  const words = line.trim();
  requireOneGroup(words);
  const id = randomId();
  await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    const { groups } = await own(transaction)
      .selectFrom('search_synonyms')
      .select((eb) => eb.fn.countAll<number>().as('groups'))
      .executeTakeFirstOrThrow();
    if (groups >= GROUPS_MAX) throw new Problem(400, { words: `at most ${GROUPS_MAX} groups can be added` });
    const created_at = clock.now();
    await own(transaction).insertInto('search_synonyms').values({ id, words, created_at }).execute();
    await recordAction(
      transaction,
      { staffId, action: 'add synonyms', subject: id, note: words },
      created_at,
    );
  });
  invalidateCache(database, OWN_WORDS_KEY);
  invalidateCache(database, UNDERSTOOD_KEY);
  catalogueChanged();
  return id;
}

/** Removes a group of the operator. Throws `Problem` 403 and 404. */
export async function removeSynonyms(
  { database, clock, catalogueChanged }: SynonymDeps,
  staffId: string,
  id: string,
): Promise<void> {
  await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    const removed = await own(transaction)
      .deleteFrom('search_synonyms')
      .where('id', '=', id)
      .returning('words')
      .executeTakeFirst();
    if (removed === undefined) throw notFound();
    const action: RecordedAction = { staffId, action: 'remove synonyms', subject: id, note: removed.words };
    await recordAction(transaction, action, clock.now());
  });
  invalidateCache(database, OWN_WORDS_KEY);
  invalidateCache(database, UNDERSTOOD_KEY);
  catalogueChanged();
}

function requireOneGroup(words: string): void {
  let groups: readonly unknown[];
  try {
    groups = parseSynonyms(words);
  } catch (error) {
    throw new Problem(400, { words: (error as Error).message });
  }
  if (groups.length !== 1) throw new Problem(400, { words: 'one group of words is needed' });
}
