import type { Kysely, Transaction } from 'kysely';
import type { PictureKind } from '../../../contract/pictures.ts';
import type { Database } from '../../platform/database/open.ts';
import type { Schema } from '../../platform/database/schema.ts';

export type PictureColumn = 'picture_key' | 'background_key';

/**
 * Stores a picture's key in its column and retires the previous one. For a blocked member, returns false and retires
 * the new one.
 */
export async function replacePictureKey(
  { db }: Database,
  userId: string,
  { kind, column, key }: { kind: PictureKind; column: PictureColumn; key: string },
  nowMs: number,
): Promise<boolean> {
  return db.transaction().execute(async (transaction) => {
    const { is_blocked, [column]: before } = await lockKeys(transaction, userId);
    const isBlocked = is_blocked === 1;
    if (!isBlocked) {
      const values = column === 'picture_key' ? { picture_key: key } : { background_key: key };
      await transaction.updateTable('users').set(values).where('id', '=', userId).execute();
    }
    const picture_key = isBlocked ? key : before;
    if (picture_key !== null) await retirePicture(transaction, { picture_key, kind }, nowMs);
    return !isBlocked;
  });
}

/** Schedules a picture for deletion once no cached page refers to it, see `deleteRetiredPictures`. */
export async function retirePicture(
  db: Kysely<Schema>,
  picture: { readonly picture_key: string; readonly kind: PictureKind },
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('retired_pictures')
    .values({ ...picture, retired_at: nowMs })
    .onConflict((on) => on.doNothing())
    .execute();
}

/** Pictures that were replaced before a time, oldest first. */
export function selectRetired(db: Kysely<Schema>, before: number, limit: number) {
  return db
    .selectFrom('retired_pictures')
    .select(['picture_key', 'kind'])
    .where('retired_at', '<', before)
    .orderBy('retired_at')
    .limit(limit)
    .execute();
}

export async function deleteRetiredPictureRow(db: Kysely<Schema>, picture_key: string): Promise<void> {
  await db.deleteFrom('retired_pictures').where('picture_key', '=', picture_key).execute();
}

/** SQLite has one writer at a time anyway; in PostgreSQL two uploads would both find the same old key. */
function lockKeys(transaction: Transaction<Schema>, userId: string) {
  return transaction
    .selectFrom('users')
    .select(['picture_key', 'background_key', 'is_blocked'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}
