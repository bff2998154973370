import type { Updateable } from 'kysely';
import type { Database } from '../../platform/database/open.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { SoundsTable } from '../catalogue/tables.ts';
import { IS_THERE } from '../catalogue/visibility.ts';
import { selectWithContent } from '../catalogue/queries.ts';
import type { Db } from './tables.ts';
import type { Handle } from '../../platform/database/handle.ts';

export function findUploader(db: Db, userId: string) {
  return selectUploader(db, userId).executeTakeFirst();
}

/** Same as `findUploader`, locked until the transaction ends: an artist's uploads are added, and their sounds deleted, one at a time. */
export function lockUploader(db: Db, userId: string) {
  return selectUploader(db, userId).forNoKeyUpdate().executeTakeFirst();
}

function selectUploader(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'is_verified', 'is_blocked'])
    .where('id', '=', userId);
}

/** Serialises concurrent uploads of the same content by several artists. SQLite serialises writes anyway. */
export function lockContent(transaction: Handle, database: Database, hash: string): Promise<void> {
  return database.takeLock(transaction, 'uploads', hash);
}

/** The number of an artist's sounds and their total bytes; `deleted`: of those that wait for their erasure. */
export async function sumSounds(
  db: Db,
  artistId: string,
): Promise<SoundSum & { readonly deleted: SoundSum }> {
  const rows = await db
    .selectFrom('sounds')
    .select((eb) => [
      eb('deleted_at', 'is', null).as('is_there'),
      eb.fn.countAll<number>().as('sounds'),
      eb.fn.sum<number | string>('audio_size').as('bytes'),
    ])
    .where('artist_id', '=', artistId)
    .groupBy((eb) => eb('deleted_at', 'is', null))
    .execute();
  const toSum = (isThere: boolean) => {
    const row = rows.find(({ is_there }) => Boolean(is_there) === isThere);
    return { sounds: Number(row?.sounds ?? 0), bytes: Number(row?.bytes ?? 0) };
  };
  return { ...toSum(true), deleted: toSum(false) };
}

export interface SoundSum {
  readonly sounds: number;
  readonly bytes: number;
}

export async function selectTitles(db: Db, artistId: string): Promise<ReadonlySet<string>> {
  const rows = await db
    .selectFrom('sounds')
    .select('title')
    .where('artist_id', '=', artistId)
    .where(IS_THERE)
    .execute();
  return new Set(rows.map(({ title }) => title));
}

export async function isSoundType(db: Db, id: number): Promise<boolean> {
  return (
    (await db.selectFrom('sound_types').select('id').where('id', '=', id).executeTakeFirst()) !== undefined
  );
}

/** An artist's sound with these bytes. One that was deleted can be uploaded again. */
export async function findOwnWithContent(db: Handle, artistId: string, hash: string) {
  return selectWithContent(db, [hash])
    .select(['id', 'title', 'filename'])
    .where('artist_id', '=', artistId)
    .where(IS_THERE)
    .limit(1)
    .executeTakeFirst();
}

/** The oldest sound with these bytes that belongs to another artist. */
export async function findOthersWithContent(db: Handle, artistId: string, hash: string) {
  return selectWithContent(db, [hash])
    .select(['id', 'artist_id'])
    .where('artist_id', '!=', artistId)
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst();
}

export async function insertCopy(db: Db, copy: Schema['sound_copies']): Promise<void> {
  await db.insertInto('sound_copies').values(copy).execute();
}

/** An artist's own sound, locked for a change until the transaction ends. */
export async function lockOwnSound(db: Db, id: string, artistId: string) {
  // The lock is taken first: a statement that waits for it would join the artist's earlier row.
  await db
    .selectFrom('sounds')
    .select('seq')
    .where('id', '=', id)
    .where('artist_id', '=', artistId)
    .forUpdate()
    .execute();
  return findOwnSound(db, id, artistId);
}

/** Locks those of the given sounds that are an artist's own, as `lockOwnSound` does. Returns them. */
export async function lockOwnSounds(db: Db, ids: readonly string[], artistId: string): Promise<number[]> {
  const rows = await db
    .selectFrom('sounds')
    .select('seq')
    .where('id', 'in', ids)
    .where('artist_id', '=', artistId)
    .orderBy('seq')
    .forUpdate()
    .execute();
  return rows.map(({ seq }) => seq);
}

export function findOwnSound(db: Db, id: string, artistId: string) {
  return db
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select(['sounds.seq', 'sounds.id', 'sounds.artist_id', 'sounds.audio_key', 'sounds.thumbnail_key'])
    .select(['sounds.is_published', 'sounds.is_withheld', 'sounds.hidden_reason', 'sounds.licence_uses'])
    .select('sounds.updated_at')
    .select('users.is_blocked as artist_is_blocked')
    .where('sounds.id', '=', id)
    .where('sounds.artist_id', '=', artistId)
    .where(IS_THERE)
    .executeTakeFirst();
}

export async function updateSoundRow(db: Db, seq: number, values: Updateable<SoundsTable>): Promise<void> {
  await db.updateTable('sounds').set(values).where('seq', '=', seq).execute();
}

/** The given ids that exist. */
export async function selectExistingSubGenres(db: Db, ids: readonly number[]): Promise<ReadonlySet<number>> {
  if (ids.length === 0) return new Set();
  const rows = await db.selectFrom('sub_genres').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

export async function replaceSubGenres(db: Db, seq: number, ids: readonly number[]): Promise<void> {
  await db.deleteFrom('sound_sub_genres').where('sound_seq', '=', seq).execute();
  if (ids.length === 0) return;
  const rows = ids.map((id) => ({ sound_seq: seq, sub_genre_id: id }));
  await db.insertInto('sound_sub_genres').values(rows).execute();
}

/** Locks a sound for its former values; undefined for a deleted one. */
export function lockChanged(db: Db, seq: number) {
  return db
    .selectFrom('sounds')
    .select(['seq', 'updated_at'])
    .where('seq', '=', seq)
    .where(IS_THERE)
    .forUpdate()
    .executeTakeFirst();
}
