import type { Kysely, Selectable } from 'kysely';
import type { Schema } from '../../../platform/database/database.ts';

type Db = Kysely<Schema>;
export type UploadRow = Selectable<Schema['resumable_uploads']>;

export async function insertUpload(db: Db, row: UploadRow): Promise<void> {
  await db.insertInto('resumable_uploads').values(row).execute();
}

export function findUpload(db: Db, id: string): Promise<UploadRow | undefined> {
  return db.selectFrom('resumable_uploads').selectAll().where('id', '=', id).executeTakeFirst();
}

/** The number of a member's unfinished uploads and their declared bytes. */
export async function sumUnfinished(
  db: Db,
  userId: string,
  afterMs: number,
): Promise<{ uploads: number; bytes: number }> {
  const { uploads, bytes } = await db
    .selectFrom('resumable_uploads')
    .select((eb) => [
      eb.fn.countAll<number>().as('uploads'),
      eb.fn.sum<number | string | null>('size_bytes').as('bytes'),
    ])
    .where('user_id', '=', userId)
    .where('created_at', '>', afterMs)
    .where('sound_id', 'is', null)
    .executeTakeFirstOrThrow();
  return { uploads, bytes: Number(bytes ?? 0) };
}

/** Ids and declared sizes of unfinished uploads, of one member or of all. */
export function selectUnfinished(db: Db, afterMs: number, userId?: string) {
  return db
    .selectFrom('resumable_uploads')
    .select(['id', 'size_bytes'])
    .where('created_at', '>', afterMs)
    .where('sound_id', 'is', null)
    .$if(userId !== undefined, (query) => query.where('user_id', '=', userId ?? ''))
    .execute();
}

/** Records the sound made of an upload. Returns whether the upload still existed without one. */
export async function linkSound(db: Db, id: string, soundId: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('resumable_uploads')
    .set({ sound_id: soundId })
    .where('id', '=', id)
    .where('sound_id', 'is', null)
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes an upload of which no sound was made. */
export async function deleteUnfinished(db: Db, id: string): Promise<void> {
  await db.deleteFrom('resumable_uploads').where('id', '=', id).where('sound_id', 'is', null).execute();
}

export async function deleteUpload(db: Db, id: string): Promise<void> {
  await db.deleteFrom('resumable_uploads').where('id', '=', id).execute();
}

/** Ids of uploads created until a time, oldest first. */
export async function selectExpired(db: Db, untilMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('resumable_uploads')
    .select('id')
    .where('created_at', '<=', untilMs)
    .orderBy('created_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

/** Deletes the records of a member's uploads. */
export async function deleteUploadsOf(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('resumable_uploads').where('user_id', '=', userId).execute();
}
