import { setTimeout as wait } from 'node:timers/promises';
import { invalidateCache } from '../../../platform/database/statements/cached.ts';
import type { Database } from '../../../platform/database/open.ts';
import type { Platform } from '../../../platform/http/context.ts';
import {
  deleteUnindexed,
  findUnindexed,
  lockSoundsAfter,
  advanceUnindexed,
  selectUnindexedArtists,
} from './reindexing-queries.ts';
import { indexSound } from '../service.ts';
import type { Handle } from '../../../platform/database/handle.ts';

const SOUNDS_AT_ONCE = 50;
/**
 * After a batch, pauses for as long as it took so that others can write: SQLite has no queue, and another server
 * process would wait.
 */
const PAUSE_MS_MAX = 50;

/**
 * Updates the search index for all sounds of an artist after `insertUnindexed`. Returns their number. Progress is saved
 * with each batch, so that after an interruption the next call, in any process, continues there.
 */
export async function indexArtist(database: Database, userId: string): Promise<number> {
  let indexed = 0;
  for (;;) {
    const began = performance.now();
    const batch = await database.db
      .transaction()
      .execute((transaction: Handle) => indexNext(database, transaction, userId));
    if (batch === undefined) return indexed;
    indexed += batch;
    if (batch === SOUNDS_AT_ONCE) await wait(Math.min(performance.now() - began, PAUSE_MS_MAX));
  }
}

/** Updates pages and the search index after an account was hidden or shown. Call it after the transaction. */
export async function announceAccount(
  { database, catalogueChanged }: Pick<Platform, 'database' | 'catalogueChanged'>,
  userId: string,
): Promise<void> {
  const announce = () => {
    invalidateCache(database);
    catalogueChanged();
  };
  announce();
  if ((await indexArtist(database, userId)) > 0) announce();
}

/** Finishes interrupted indexing for every marked artist. */
export async function finishIndexing(database: Database): Promise<number> {
  let indexed = 0;
  for (const userId of await selectUnindexedArtists(database.db)) {
    indexed += await indexArtist(database, userId);
  }
  return indexed;
}

/**
 * The number of sounds processed; undefined when none were left. Locks the sounds before the row that marks the artist.
 */
async function indexNext(
  database: Database,
  transaction: Handle,
  userId: string,
): Promise<number | undefined> {
  const note = await findUnindexed(transaction, userId);
  if (note === undefined) return undefined;
  const seqs = await lockSoundsAfter(transaction, note, SOUNDS_AT_ONCE);
  // Another process may have indexed them while this one waited for the lock.
  const current = await findUnindexed(transaction, userId);
  if (current?.change_id !== note.change_id || current.after_seq !== note.after_seq) return 0;
  for (const seq of seqs) await indexSound(database, transaction, seq);
  const last = seqs.at(-1);
  if (last === undefined || seqs.length < SOUNDS_AT_ONCE) await deleteUnindexed(transaction, note);
  else await advanceUnindexed(transaction, note, last);
  return seqs.length;
}
