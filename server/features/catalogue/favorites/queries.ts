import { changesRows } from '../../../platform/database/statements/outcomes.ts';
import type { Db } from '../tables.ts';

/** Which of these sounds are a member's favourites, looked up by primary key. */
export async function selectFavoriteSeqs(
  db: Db,
  userId: string,
  seqs: readonly number[],
): Promise<ReadonlySet<number>> {
  if (seqs.length === 0) return new Set();
  const rows = await db
    .selectFrom('favorites')
    .select('sound_seq')
    .where('user_id', '=', userId)
    .where('sound_seq', 'in', seqs)
    .execute();
  return new Set(rows.map((row) => row.sound_seq));
}

/**
 * A sound, locked until the transaction ends. SQLite has one writer at a time anyway; PostgreSQL takes the same row
 * lock as a change of its counts.
 */
export function lockSound(transaction: Db, id: string) {
  return transaction
    .selectFrom('sounds')
    .select([
      'seq',
      'artist_id',
      'is_published',
      'deleted_at',
      'download_count',
      'favorite_count',
      'popularity',
    ])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

export async function insertFavorite(db: Db, userId: string, seq: number, createdAt: number): Promise<void> {
  await db
    .insertInto('favorites')
    .values({ user_id: userId, sound_seq: seq, created_at: createdAt })
    .execute();
}

/** Whether a favourite was deleted. */
export async function deleteFavorite(db: Db, userId: string, seq: number): Promise<boolean> {
  return changesRows(db.deleteFrom('favorites').where('user_id', '=', userId).where('sound_seq', '=', seq));
}

/** Ids of some of a member's favourites. */
export async function selectFavoriteSoundIds(db: Db, userId: string, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('favorites')
    .innerJoin('sounds', 'sounds.seq', 'favorites.sound_seq')
    .select('sounds.id')
    .where('favorites.user_id', '=', userId)
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}
