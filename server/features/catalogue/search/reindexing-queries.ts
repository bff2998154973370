import { sql } from 'kysely';
import type { Selectable } from 'kysely';
import type { GenreKind } from '../../../../contract/operator/genres.ts';
import { randomId } from '../../../platform/database/statements/random-id.ts';
import type { UnindexedArtistsTable, Db } from '../tables.ts';

/** Marks all of an artist's sounds for indexing, including those that an earlier run has already processed. */
export async function insertUnindexed(db: Db, userId: string): Promise<void> {
  const values = { change_id: randomId(), after_seq: 0 };
  await db
    .insertInto('unindexed_artists')
    .values({ user_id: userId, ...values })
    .onConflict((on) => on.column('user_id').doUpdateSet(values))
    .execute();
}

export async function selectUnindexedArtists(db: Db): Promise<string[]> {
  const rows = await db.selectFrom('unindexed_artists').select('user_id').execute();
  return rows.map((row) => row.user_id);
}

export type Unindexed = Selectable<UnindexedArtistsTable>;

export function findUnindexed(db: Db, userId: string): Promise<Unindexed | undefined> {
  return db.selectFrom('unindexed_artists').selectAll().where('user_id', '=', userId).executeTakeFirst();
}

/** The next sounds of an artist, in the order and with the lock that all writers use. */
export async function lockSoundsAfter(
  db: Db,
  { user_id, after_seq }: Unindexed,
  limit: number,
): Promise<number[]> {
  const rows = await db
    .selectFrom('sounds')
    .select('seq')
    .where('artist_id', '=', user_id)
    .where('seq', '>', after_seq)
    .orderBy('seq')
    .limit(limit)
    .forNoKeyUpdate()
    .execute();
  return rows.map((row) => row.seq);
}

/** Has no effect if another change or process came in between. */
export async function advanceUnindexed(db: Db, from: Unindexed, afterSeq: number): Promise<void> {
  await db
    .updateTable('unindexed_artists')
    .set({ after_seq: afterSeq })
    .where('user_id', '=', from.user_id)
    .where('change_id', '=', from.change_id)
    .where('after_seq', '=', from.after_seq)
    .execute();
}

/** Has no effect if another change came in between. */
export async function deleteUnindexed(db: Db, done: Unindexed): Promise<void> {
  await db
    .deleteFrom('unindexed_artists')
    .where('user_id', '=', done.user_id)
    .where('change_id', '=', done.change_id)
    .execute();
}

/** Marks every artist with sounds of a type, genre or sub-genre: sounds are found by its name. */
export async function insertUnindexedSoundsOf(db: Db, kind: GenreKind, id: number): Promise<void> {
  const genre = kind === 'genre' ? sql`sub_genres.genre_id` : sql`sub_genres.id`;
  const carriers =
    kind === 'type'
      ? sql`sounds where sounds.type_id = ${id}`
      : sql`sub_genres
        join sound_sub_genres on sound_sub_genres.sub_genre_id = sub_genres.id
        join sounds on sounds.seq = sound_sub_genres.sound_seq
        where ${genre} = ${id}`;
  await sql`
    insert into unindexed_artists (user_id, change_id, after_seq)
    select distinct sounds.artist_id, ${randomId()}, 0 from ${carriers}
    on conflict (user_id) do update set change_id = excluded.change_id, after_seq = 0`.execute(db);
}
