import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/database/database.ts';

type Db = Kysely<Schema>;
type Kind = Schema['unclaimed_files']['kind'];

export interface NotedFile {
  readonly file_key: string;
  readonly kind: Kind;
}

/** Notes a file that is going to lie in storage, before it does. */
export async function noteIncoming(db: Db, file: NotedFile, nowMs: number): Promise<void> {
  await db
    .insertInto('unclaimed_files')
    .values({ ...file, is_doomed: 0, noted_at: nowMs })
    .execute();
}

/** Whether the file is still there to be referred to: one that took too long has been swept away. */
export async function claimFile(db: Db, key: string): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('unclaimed_files')
    .where('file_key', '=', key)
    .where('is_doomed', '=', 0)
    .executeTakeFirstOrThrow();
  return numDeletedRows > 0n;
}

/** Notes that a file has to go, in the transaction that takes its row away. */
export async function doomFile(db: Db, file: NotedFile, nowMs: number): Promise<void> {
  await db
    .insertInto('unclaimed_files')
    .values({ ...file, is_doomed: 1, noted_at: nowMs })
    .onConflict((on) => on.column('file_key').doUpdateSet({ is_doomed: 1 }))
    .execute();
}

/** Nobody can claim them afterwards. */
export async function doomIncoming(db: Db, beforeMs: number): Promise<void> {
  await db
    .updateTable('unclaimed_files')
    .set({ is_doomed: 1 })
    .where('is_doomed', '=', 0)
    .where('noted_at', '<', beforeMs)
    .execute();
}

/** The same for one that its own upload gives up; nothing happens to one that has been claimed. */
export async function giveUpFile(db: Db, key: string): Promise<void> {
  await db.updateTable('unclaimed_files').set({ is_doomed: 1 }).where('file_key', '=', key).execute();
}

export async function findDoomed(db: Db, key: string): Promise<NotedFile | undefined> {
  return db
    .selectFrom('unclaimed_files')
    .select(['file_key', 'kind'])
    .where('file_key', '=', key)
    .where('is_doomed', '=', 1)
    .executeTakeFirst();
}

export async function selectDoomed(db: Db, limit: number): Promise<NotedFile[]> {
  return db
    .selectFrom('unclaimed_files')
    .select(['file_key', 'kind'])
    .where('is_doomed', '=', 1)
    .orderBy('noted_at')
    .limit(limit)
    .execute();
}

export async function forgetFile(db: Db, key: string): Promise<void> {
  await db.deleteFrom('unclaimed_files').where('file_key', '=', key).execute();
}

/** Notes a picture that cached pages may still name, see `deleteRetiredPictures`. */
export async function retireThumbnail(db: Db, key: string, nowMs: number): Promise<void> {
  await db
    .insertInto('retired_pictures')
    .values({ picture_key: key, kind: 'thumbnail', retired_at: nowMs })
    .onConflict((on) => on.doNothing())
    .execute();
}
