import { sql } from 'kysely';
import type { Insertable, Kysely } from 'kysely';
import type { Flag, RankColumn, Schema, SoundsTable } from '../../platform/database/database.ts';
import { toSourceHash } from './search/readings.ts';
import type { ReadingSource } from './search/readings.ts';
import type { SearchDocument } from './search/tokens.ts';

/** Filters of a plain listing (no search, no sub-genres). */
export interface PlainFilters {
  readonly typeId: number | undefined;
  readonly artistId: string | undefined;
  readonly isAiGenerated: boolean | undefined;
  readonly withPrivate: boolean;
}

function plainSounds(db: Kysely<Schema>, { typeId, artistId, isAiGenerated, withPrivate }: PlainFilters) {
  let query = db.selectFrom('sounds');
  if (!withPrivate) query = query.where('is_published', '=', 1);
  if (typeId !== undefined) query = query.where('type_id', '=', typeId);
  if (artistId !== undefined) query = query.where('artist_id', '=', artistId);
  if (isAiGenerated !== undefined) query = query.where('is_ai_generated', '=', toFlag(isAiGenerated));
  return query;
}

/** Their number, counted up to `cap`. */
export async function countPlain(db: Kysely<Schema>, filters: PlainFilters, cap: number): Promise<number> {
  const capped = plainSounds(db, filters).select(sql.lit(1).as('hit')).limit(cap).as('capped');
  const { sounds } = await db
    .selectFrom(capped)
    .select((eb) => eb.fn.countAll<number>().as('sounds'))
    .executeTakeFirstOrThrow();
  return sounds;
}

/** The seqs of one page; every order has an index. */
export async function selectPlainSeqs(
  db: Kysely<Schema>,
  filters: PlainFilters,
  order: 'newest' | RankColumn,
  limit: number,
  offset: number,
): Promise<number[]> {
  let query = plainSounds(db, filters).select('seq');
  if (order !== 'newest') query = query.orderBy(order, 'desc');
  const rows = await query.orderBy('seq', 'desc').limit(limit).offset(offset).execute();
  return rows.map((row) => row.seq);
}

/** The value of the n-th highest public sound in a column; undefined when there are fewer. */
export async function selectCountAt(db: Kysely<Schema>, column: RankColumn, position: number) {
  const row = await db
    .selectFrom('sounds')
    .select(`${column} as count`)
    .where('is_published', '=', 1)
    .orderBy(column, 'desc')
    .orderBy('seq', 'desc')
    .limit(1)
    .offset(position)
    .executeTakeFirst();
  return row?.count;
}

function soundsWithArtist(db: Kysely<Schema>) {
  return db
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .leftJoin('sound_features', 'sound_features.sound_seq', 'sounds.seq')
    .select([
      'sounds.seq',
      'sounds.id',
      'sounds.artist_id',
      'sounds.type_id',
      'sounds.title',
      'sounds.description',
      'sounds.filename',
      'sounds.audio_key',
      'sounds.audio_mime',
      'sounds.audio_size',
      'sounds.duration_ms',
      'sounds.bit_rate',
      'sounds.sample_rate',
      'sounds.peaks',
      'sounds.thumbnail_key',
      'sounds.is_published',
      'sounds.hidden_reason',
      'sounds.is_ai_generated',
      'sounds.download_count',
      'sounds.favorite_count',
      'sounds.created_at',
      'sound_features.effective_bpm',
      'sound_features.bpm as own_bpm',
      'sound_features.effective_key',
      'sound_features.music_key as own_key',
      'users.username as artist_name',
      'users.picture_key as artist_picture_key',
      'users.is_blocked as artist_is_blocked',
    ]);
}

export type SoundRow = Awaited<ReturnType<ReturnType<typeof soundsWithArtist>['execute']>>[number];

/** The rows of these seqs, in the same order. */
export async function selectSounds(db: Kysely<Schema>, seqs: readonly number[]): Promise<SoundRow[]> {
  if (seqs.length === 0) return [];
  const rows = await soundsWithArtist(db).where('sounds.seq', 'in', seqs).execute();
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
}

export function findSoundById(db: Kysely<Schema>, id: string) {
  return soundsWithArtist(db).where('sounds.id', '=', id).executeTakeFirst();
}

/** The sub-genre ids of these sounds, ascending, by seq. */
export async function selectSubGenreIds(
  db: Kysely<Schema>,
  seqs: readonly number[],
): Promise<ReadonlyMap<number, number[]>> {
  if (seqs.length === 0) return new Map();
  const rows = await db
    .selectFrom('sound_sub_genres')
    .select(['sound_seq', 'sub_genre_id'])
    .where('sound_seq', 'in', seqs)
    .orderBy('sound_seq')
    .orderBy('sub_genre_id')
    .execute();
  const bySeq = new Map<number, number[]>();
  for (const row of rows) {
    const ids = bySeq.get(row.sound_seq);
    if (ids === undefined) bySeq.set(row.sound_seq, [row.sub_genre_id]);
    else ids.push(row.sub_genre_id);
  }
  return bySeq;
}

export async function findUserIdByKey(db: Kysely<Schema>, usernameKey: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey)
    .executeTakeFirst();
  return row?.id;
}

export function findFileById(db: Kysely<Schema>, id: string) {
  return db
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select([
      'sounds.id',
      'sounds.artist_id',
      'sounds.title',
      'sounds.filename',
      'sounds.audio_key',
      'sounds.audio_mime',
      'sounds.audio_size',
      'sounds.is_published',
      'users.username as artistUsername',
    ])
    .where('sounds.id', '=', id)
    .executeTakeFirst();
}

export async function insertSound(
  db: Kysely<Schema>,
  sound: Insertable<SoundsTable>,
  subGenreIds: readonly number[],
): Promise<number> {
  const { seq } = await db.insertInto('sounds').values(sound).returning('seq').executeTakeFirstOrThrow();
  if (subGenreIds.length > 0) {
    const rows = subGenreIds.map((id) => ({ sound_seq: seq, sub_genre_id: id }));
    await db.insertInto('sound_sub_genres').values(rows).execute();
  }
  return seq;
}

/** The data of a sound that the search index needs. */
export async function selectSearchDocument(
  db: Kysely<Schema>,
  seq: number,
): Promise<SearchDocument | undefined> {
  const row = await db
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .innerJoin('sound_types', 'sound_types.id', 'sounds.type_id')
    .leftJoin('sound_readings', 'sound_readings.sound_seq', 'sounds.seq')
    .selectAll('sounds')
    .select(['users.username as artist_name', 'sound_types.name as type_name'])
    .select(['source_hash', 'name_tokens', 'text_tokens'])
    .where('sounds.seq', '=', seq)
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const genres = await db
    .selectFrom('sound_sub_genres')
    .innerJoin('sub_genres', 'sub_genres.id', 'sound_sub_genres.sub_genre_id')
    .innerJoin('genres', 'genres.id', 'sub_genres.genre_id')
    .select(['sub_genres.id', 'sub_genres.name', 'genres.name as genre_name'])
    .where('sound_sub_genres.sound_seq', '=', seq)
    .execute();
  const document = {
    seq,
    title: row.title,
    description: row.description,
    artistName: row.artist_name,
    typeName: row.type_name,
    genreNames: [...new Set(genres.flatMap((genre) => [genre.name, genre.genre_name]))],
    artistId: row.artist_id,
    typeId: row.type_id,
    subGenreIds: genres.map((genre) => genre.id),
    isAiGenerated: row.is_ai_generated === 1,
    isPublished: row.is_published === 1,
    counts: {
      download_count: row.download_count,
      favorite_count: row.favorite_count,
      popularity: row.popularity,
    },
  };
  const isRead = row.source_hash === toSourceHash(toReadingSource(document));
  const toList = (tokens: string | null) => (tokens ?? '').split(' ').filter(Boolean);
  return {
    ...document,
    readings: isRead ? { names: toList(row.name_tokens), text: toList(row.text_tokens) } : undefined,
  };
}

/** The texts of a sound whose readings are searched. */
export function toReadingSource(document: SearchDocument): ReadingSource {
  const { title, artistName, typeName, genreNames, description } = document;
  return { names: [title, artistName, typeName, ...genreNames.toSorted()], description };
}

export function toFlag(isSet: boolean): Flag {
  return isSet ? 1 : 0;
}

/** Whether any sound still refers to a file. */
export async function isFileUsed(
  db: Kysely<Schema>,
  kind: 'sound' | 'thumbnail',
  key: string,
): Promise<boolean> {
  const column = kind === 'sound' ? 'audio_key' : 'thumbnail_key';
  const row = await db
    .selectFrom('sounds')
    .select(sql.lit(1).as('hit'))
    .where(column, '=', key)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}
