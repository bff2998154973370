import type { Kysely, Updateable } from 'kysely';
import { toSoundState } from '../../platform/database/tables/catalogue.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { SoundsTable } from '../../platform/database/tables/catalogue.ts';

type Db = Kysely<Schema>;

/** A number that one person can read in a terminal. */
export const LISTED_MAX = 500;

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

/** Shows the sounds that `withholdSounds` hid, except those that are hidden individually or deleted. */
export async function releaseSounds(db: Db, artistId: string): Promise<void> {
  await lockSounds(db, artistId);
  await db
    .updateTable('sounds')
    .set({ is_published: 1, is_withheld: 0 })
    .where('artist_id', '=', artistId)
    .where('is_withheld', '=', 1)
    .where('hidden_reason', 'is', null)
    .where('deleted_at', 'is', null)
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

/** Any artist's sound, also one that the artist deleted, for a decision of the staff; locked until the transaction ends. */
export async function lockModeratedSound(db: Db, id: string) {
  // The lock is taken first: a statement that waits for it would join the artist's earlier row.
  await db.selectFrom('sounds').select('seq').where('id', '=', id).forUpdate().execute();
  return selectModerated(db).where('sounds.id', '=', id).executeTakeFirst();
}

export type ModeratedSound = NonNullable<Awaited<ReturnType<typeof lockModeratedSound>>>;

export async function updateTakedown(
  db: Db,
  seq: number,
  values: Pick<Updateable<SoundsTable>, 'hidden_reason' | 'is_published' | 'is_withheld'>,
): Promise<void> {
  await db.updateTable('sounds').set(values).where('seq', '=', seq).execute();
}

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
