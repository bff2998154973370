import type { Updateable } from 'kysely';
import type { SoundsTable, Db } from './tables.ts';

/** For this long, the link in the mail about it brings a deleted sound back. */
export const SOUND_GRACE_DAYS = 7;

/** Changes a sound's row, for every feature but that of the artist's own sounds, which owns the table as well. */
export async function updateSoundRow(db: Db, seq: number, values: Updateable<SoundsTable>): Promise<void> {
  await db.updateTable('sounds').set(values).where('seq', '=', seq).execute();
}

/** Hides an artist's public sounds; `releaseSounds` undoes it. Uses one statement, whatever their number. */
export async function withholdSounds(db: Db, artistId: string): Promise<void> {
  await lockSounds(db, artistId);
  await db
    .updateTable('sounds')
    .set({ is_published: 0, is_withheld: 1 })
    .where('artist_id', '=', artistId)
    .where('is_published', '=', 1)
    .execute();
}

/**
 * Shows the sounds that `withholdSounds` hid, except those that are hidden individually or deleted; none while their
 * artist is suspended or being deleted.
 */
export async function releaseSounds(db: Db, artistId: string): Promise<void> {
  await lockSounds(db, artistId);
  await db
    .updateTable('sounds')
    .set({ is_published: 1, is_withheld: 0 })
    .where('artist_id', '=', artistId)
    .where('is_withheld', '=', 1)
    .where('hidden_reason', 'is', null)
    .where('deleted_at', 'is', null)
    .where('artist_id', 'in', (query) =>
      query
        .selectFrom('users')
        .select('id')
        .where('suspension_reason', 'is', null)
        .where('deletion_requested_at', 'is', null)
        .where('id', '=', artistId),
    )
    .execute();
}

/** Includes private ones: a sound that is being published at this moment has to be waited for. */
async function lockSounds(db: Db, artistId: string): Promise<void> {
  await db
    .selectFrom('sounds')
    .select('seq')
    .where('artist_id', '=', artistId)
    .orderBy('seq')
    .forNoKeyUpdate()
    .execute();
}
