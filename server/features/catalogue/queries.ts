import { sql } from 'kysely';
import type { Insertable } from 'kysely';
import { LAST_CODE_POINT, byCodePoints } from '../../platform/database/drivers/code-points.ts';
import { exists } from '../../platform/database/statements/outcomes.ts';
import type { Database } from '../../platform/database/open.ts';
import { toFlag } from '../../platform/database/tables/parts.ts';
import type { RankColumn } from '../../platform/database/search-index/search-index.ts';
import { FIELD_COLUMNS } from './sound-fields.ts';
import type { SoundsTable, Db } from './tables.ts';
import { IS_THERE } from './visibility.ts';
import { own } from './tables.ts';

/** Filters of a plain listing (no search, no sub-genres). */
export interface PlainFilters {
  readonly typeId: number | undefined;
  readonly artistId: string | undefined;
  readonly isAiGenerated: boolean | undefined;
  readonly withPrivate: boolean;
}

function plainSounds(db: Db, { typeId, artistId, isAiGenerated, withPrivate }: PlainFilters) {
  let query = db.selectFrom('sounds');
  query = withPrivate ? query.where(IS_THERE) : query.where('is_published', '=', 1);
  if (typeId !== undefined) query = query.where('type_id', '=', typeId);
  if (artistId !== undefined) query = query.where('artist_id', '=', artistId);
  if (isAiGenerated !== undefined) query = query.where('is_ai_generated', '=', toFlag(isAiGenerated));
  return query;
}

/** Their number, counted up to `cap`. */
export async function countPlain(db: Db, filters: PlainFilters, cap: number): Promise<number> {
  const capped = plainSounds(db, filters).select(sql.lit(1).as('hit')).limit(cap).as('capped');
  const { sounds } = await db
    .selectFrom(capped)
    .select((eb) => eb.fn.countAll<number>().as('sounds'))
    .executeTakeFirstOrThrow();
  return sounds;
}

/** The seqs of one page; every order has an index. */
export async function selectPlainSeqs(
  db: Db,
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
export async function selectCountAt(db: Db, column: RankColumn, position: number) {
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

function soundsWithArtist(db: Db) {
  return db
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .innerJoin('sound_types', 'sound_types.id', 'sounds.type_id')
    .leftJoin('sound_findings', 'sound_findings.sound_seq', 'sounds.seq')
    .leftJoin('sound_features', 'sound_features.sound_seq', 'sounds.seq')
    .leftJoin('sound_neighbours', 'sound_neighbours.sound_seq', 'sounds.seq')
    .select((eb) =>
      eb
        .and([eb('sound_neighbours.neighbours', '<>', ''), eb('sound_neighbours.sure', '>', 0)])
        .as('has_similar'),
    )
    .select([
      'sound_findings.loudness_lufs',
      'sound_findings.true_peak_dbtp',
      'sounds.seq',
      'sounds.id',
      'sounds.artist_id',
      'sounds.type_id',
      'sound_types.icon as type_icon',
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
      'sounds.deleted_at',
      ...FIELD_COLUMNS,
      'sounds.download_count',
      'sounds.favorite_count',
      'sounds.created_at',
      'sounds.updated_at',
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
export async function selectSounds(db: Db, seqs: readonly number[]): Promise<SoundRow[]> {
  if (seqs.length === 0) return [];
  const rows = await soundsWithArtist(db).where('sounds.seq', 'in', seqs).execute();
  const bySeq = new Map(rows.map((row) => [row.seq, row]));
  return seqs.flatMap((seq) => bySeq.get(seq) ?? []);
}

/** The columns of these sounds that facts are read from. */
export async function selectFactColumns(db: Db, seqs: readonly number[]) {
  if (seqs.length === 0) return [];
  return db
    .selectFrom('sounds')
    .leftJoin('sound_features', 'sound_features.sound_seq', 'sounds.seq')
    .select(['effective_bpm', 'effective_key'])
    .select(['seq', 'duration_ms', ...FIELD_COLUMNS])
    .where('seq', 'in', seqs)
    .where('is_published', '=', 1)
    .execute();
}

export function findSoundById(db: Db, id: string) {
  return soundsWithArtist(db).where('sounds.id', '=', id).executeTakeFirst();
}

/** The sub-genre ids of these sounds, ascending, by seq. */
export async function selectSubGenreIds(
  db: Db,
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

export async function findUserIdByKey(db: Db, usernameKey: string): Promise<string | undefined> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('username_key', '=', usernameKey)
    .executeTakeFirst();
  return row?.id;
}

export function findFileById(db: Db, id: string) {
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
    .where(IS_THERE)
    .executeTakeFirst();
}

/** Maximum number of members with a matching name that are checked for a public sound. */
const ARTISTS_CHECKED_MAX = 50;

/** Names of artists with a public sound whose username key starts with `prefix`. */
export async function selectArtistNames(
  database: Pick<Database, 'db' | 'dialect'>,
  prefix: string,
  limit: number,
): Promise<string[]> {
  const key = byCodePoints(database, 'username_key');
  const rows = await own(database.db)
    .selectFrom((query) =>
      query
        .selectFrom('users')
        .select(['id', 'username', 'suspension_reason', 'deletion_requested_at'])
        .where(key, '>=', prefix)
        .where(key, '<=', prefix + LAST_CODE_POINT)
        .orderBy(key)
        .limit(ARTISTS_CHECKED_MAX)
        .as('members'),
    )
    .select('members.username')
    .where('suspension_reason', 'is', null)
    .where('deletion_requested_at', 'is', null)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('sounds')
          .select(sql.lit(1).as('hit'))
          .whereRef('sounds.artist_id', '=', 'members.id')
          .where('is_published', '=', 1),
      ),
    )
    .limit(limit)
    .execute();
  return rows.map(({ username }) => username);
}

export async function insertSound(
  db: Db,
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

/** The sounds with one of these contents. Files that were not uploaded, such as the demo's, are stored under their hash. */
export function selectWithContent(db: Db, hashes: readonly string[]) {
  return db
    .selectFrom('sounds')
    .where((where) =>
      where.or([where('sounds.content_hash', 'in', hashes), where('sounds.audio_key', 'in', hashes)]),
    );
}

/** Whether any sound still refers to a file. */
export async function isFileUsed(db: Db, kind: 'sound' | 'thumbnail', key: string): Promise<boolean> {
  const column = kind === 'sound' ? 'audio_key' : 'thumbnail_key';
  return exists(db.selectFrom('sounds').select(sql.lit(1).as('hit')).where(column, '=', key).limit(1));
}
