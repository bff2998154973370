import type { Insertable, Selectable } from 'kysely';
import { changesRows } from '../../../platform/database/statements/outcomes.ts';
import type { Schema } from '../../../platform/database/schema.ts';
import type { Db } from '../tables.ts';

export type UploadRow = Selectable<Schema['resumable_uploads']>;

export async function insertUpload(db: Db, row: Insertable<Schema['resumable_uploads']>): Promise<void> {
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

/** The declared bytes that active unfinished uploads of all members have not received yet. */
export async function sumAwaited(db: Db, createdAfterMs: number, activeAfterMs: number): Promise<number> {
  const { bytes } = await db
    .selectFrom('resumable_uploads')
    .select(({ fn, eb }) =>
      fn.sum<number | string | null>(eb('size_bytes', '-', eb.ref('received_bytes'))).as('bytes'),
    )
    .where('created_at', '>', createdAfterMs)
    .where('sound_id', 'is', null)
    .where(({ or, eb }) => or([eb('created_at', '>', activeAfterMs), eb('active_at', '>', activeAfterMs)]))
    .executeTakeFirstOrThrow();
  return Number(bytes ?? 0);
}

/** Ids of a member's unfinished uploads that were created and last active before a time. */
export async function selectIdle(db: Db, userId: string, beforeMs: number): Promise<string[]> {
  const rows = await db
    .selectFrom('resumable_uploads')
    .select('id')
    .where('user_id', '=', userId)
    .where('created_at', '<', beforeMs)
    .where('active_at', '<', beforeMs)
    .where('sound_id', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}

/** Prevents an upload from being ended as idle. */
export async function recordActivity(db: Db, id: string, nowMs: number): Promise<void> {
  await db.updateTable('resumable_uploads').set({ active_at: nowMs }).where('id', '=', id).execute();
}

/** Records the sound made of an upload. Returns whether the upload still existed without one. */
export async function linkSound(db: Db, id: string, soundId: string): Promise<boolean> {
  return changesRows(
    db
      .updateTable('resumable_uploads')
      .set({ sound_id: soundId })
      .where('id', '=', id)
      .where('sound_id', 'is', null),
  );
}

/** Deletes an upload of which no sound was made, if it was last active before a time. Returns whether it did. */
export async function deleteUnfinished(db: Db, id: string, activeBeforeMs = Infinity): Promise<boolean> {
  return changesRows(
    db
      .deleteFrom('resumable_uploads')
      .where('id', '=', id)
      .where('sound_id', 'is', null)
      .$if(activeBeforeMs !== Infinity, (query) => query.where('active_at', '<', activeBeforeMs)),
  );
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

export async function selectUploadsOf(db: Db, userId: string): Promise<string[]> {
  const rows = await db.selectFrom('resumable_uploads').select('id').where('user_id', '=', userId).execute();
  return rows.map(({ id }) => id);
}
