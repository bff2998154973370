import type { PictureKind } from '../../../contract/site/pictures.ts';
import type { Db } from './tables.ts';

/** Schedules a picture for deletion once no cached page refers to it, see `deleteRetiredPictures`. */
export async function retirePicture(
  db: Db,
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
export function selectRetired(db: Db, before: number, limit: number) {
  return db
    .selectFrom('retired_pictures')
    .select(['picture_key', 'kind'])
    .where('retired_at', '<', before)
    .orderBy('retired_at')
    .limit(limit)
    .execute();
}

export async function deleteRetiredPictureRow(db: Db, picture_key: string): Promise<void> {
  await db.deleteFrom('retired_pictures').where('picture_key', '=', picture_key).execute();
}
