import { changesRows } from '../../platform/database/statements/outcomes.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Db } from './tables.ts';

type Kind = Schema['unclaimed_files']['kind'];

export interface RecordedFile {
  readonly file_key: string;
  readonly kind: Kind;
}

/** Records a file before it is stored. */
export async function recordIncomingFile(db: Db, file: RecordedFile, nowMs: number): Promise<void> {
  await db
    .insertInto('unclaimed_files')
    .values({ ...file, state: 'incoming', state_since: nowMs })
    .execute();
}

/** Whether the file can still be referred to: one that took too long has been removed. */
export async function claimFile(db: Db, key: string): Promise<boolean> {
  return changesRows(
    db.deleteFrom('unclaimed_files').where('file_key', '=', key).where('state', '=', 'incoming'),
  );
}

/** Marks a file for deletion, in the transaction that deletes its row. */
export async function markDeleted(db: Db, file: RecordedFile, nowMs: number): Promise<void> {
  await db
    .insertInto('unclaimed_files')
    .values({ ...file, state: 'removed', state_since: nowMs })
    .onConflict((on) => on.column('file_key').doUpdateSet({ state: 'removed' }))
    .execute();
}

/** Marks files that can then no longer be claimed. */
export async function markIncomingDeleted(db: Db, beforeMs: number): Promise<void> {
  await db
    .updateTable('unclaimed_files')
    .set({ state: 'removed' })
    .where('state', '=', 'incoming')
    .where('state_since', '<', beforeMs)
    .execute();
}

/** Same as `markIncomingDeleted`, for a file whose upload failed; has no effect once it is claimed. */
export async function giveUpFile(db: Db, key: string): Promise<void> {
  await db.updateTable('unclaimed_files').set({ state: 'removed' }).where('file_key', '=', key).execute();
}

export async function findMarked(db: Db, key: string): Promise<RecordedFile | undefined> {
  return db
    .selectFrom('unclaimed_files')
    .select(['file_key', 'kind'])
    .where('file_key', '=', key)
    .where('state', '=', 'removed')
    .executeTakeFirst();
}

export async function selectMarked(db: Db, limit: number): Promise<RecordedFile[]> {
  return db
    .selectFrom('unclaimed_files')
    .select(['file_key', 'kind'])
    .where('state', '=', 'removed')
    .orderBy('state_since')
    .limit(limit)
    .execute();
}

export async function forgetFile(db: Db, key: string): Promise<void> {
  await db.deleteFrom('unclaimed_files').where('file_key', '=', key).execute();
}
