import type { Db } from './tables.ts';

/**
 * Members who are neither suspended nor being deleted. Selects only public fields, `is_verified` to decide whether the member counts as an
 * artist, and `message_email` only for whether one is set; its value is not passed on.
 */
function selectArtists(db: Db) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'bio', 'picture_key', 'background_key', 'donation_url'])
    .select(['message_email', 'is_verified', 'created_at'])
    .where('suspension_reason', 'is', null)
    .where('deletion_requested_at', 'is', null);
}

export function findArtistByKey(db: Db, usernameKey: string) {
  return selectArtists(db).where('username_key', '=', usernameKey).executeTakeFirst();
}

/** The last owner of a name that has no current owner. */
export function findArtistByFormerKey(db: Db, usernameKey: string) {
  return selectArtists(db)
    .where('id', '=', (query) =>
      query.selectFrom('former_usernames').select('user_id').where('username_key', '=', usernameKey),
    )
    .executeTakeFirst();
}

export async function findUsername(db: Db, userId: string): Promise<string | undefined> {
  const row = await db.selectFrom('users').select('username').where('id', '=', userId).executeTakeFirst();
  return row?.username;
}

/** How many public sounds an artist has. */
export async function countPublicSounds(db: Db, artistId: string): Promise<number> {
  const { sounds } = await db
    .selectFrom('sounds')
    .select((eb) => eb.fn.countAll<number>().as('sounds'))
    .where('artist_id', '=', artistId)
    .where('is_published', '=', 1)
    .executeTakeFirstOrThrow();
  return sounds;
}

/** The artists of the first sounds in an order, without duplicates. */
export async function selectArtistIdsOfFirst(
  db: Db,
  order: 'popularity' | 'seq',
  sounds: number,
): Promise<string[]> {
  let query = db.selectFrom('sounds').select('artist_id').where('is_published', '=', 1);
  if (order === 'popularity') query = query.orderBy('popularity', 'desc');
  const rows = await query.orderBy('seq', 'desc').limit(sounds).execute();
  return [...new Set(rows.map((row) => row.artist_id))];
}

export function selectArtistCards(db: Db, ids: readonly string[]) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'bio', 'picture_key'])
    .where('id', 'in', ids)
    .execute();
}
