import { toSoundState } from '../catalogue/tables.ts';
import type { Db } from './tables.ts';
import { LISTED_MAX } from '../staff/rules.ts';

/** Any artist's sound, also one that the artist deleted, for a decision of the staff; locked until the transaction ends. */
export async function lockModeratedSound(db: Db, id: string) {
  // The lock is taken first: a statement that waits for it would join the artist's earlier row.
  await db.selectFrom('sounds').select('seq').where('id', '=', id).forUpdate().execute();
  return selectModerated(db).where('sounds.id', '=', id).executeTakeFirst();
}

export type ModeratedSound = NonNullable<Awaited<ReturnType<typeof lockModeratedSound>>>;

/** The newest sounds of an artist for the staff, including private and hidden ones. */
export function selectSoundsForStaff(db: Db, artistId: string) {
  return selectModerated(db)
    .where('sounds.artist_id', '=', artistId)
    .orderBy('sounds.seq', 'desc')
    .limit(LISTED_MAX)
    .execute();
}

export function findSoundForStaff(db: Db, id: string) {
  return selectModerated(db).where('sounds.id', '=', id).executeTakeFirst();
}

function selectModerated(db: Db) {
  return db
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .innerJoin('sound_types', 'sound_types.id', 'sounds.type_id')
    .select(['sounds.seq', 'sounds.id', 'sounds.artist_id', 'sounds.title', 'sounds.description'])
    .select(['sounds.filename', 'sounds.audio_key', 'sounds.audio_mime', 'sounds.thumbnail_key'])
    .select(['sounds.duration_ms', 'sounds.is_published', 'sounds.is_withheld', 'sounds.hidden_reason'])
    .select(['sounds.download_count', 'sounds.favorite_count', 'sounds.created_at'])
    .select(['sound_types.name as type', 'users.username as artist', 'users.email as artist_email'])
    .select(['sounds.deleted_at', 'users.suspension_reason', 'users.deletion_requested_at'])
    .select(toSoundState('sounds.').as('state'));
}
