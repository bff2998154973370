import { sql } from 'kysely';
import { FEATURES_VERSION } from '../../../media/analysis/sound-features.ts';
import type { Neighbours } from './thread.ts';
import { exists } from '../../../platform/database/statements/outcomes.ts';
import type { Schema } from '../../../platform/database/schema.ts';
import type { Db } from '../tables.ts';

/** Public sounds with numbers that can be compared. */
function queryComparable(db: Db) {
  return db
    .selectFrom('sounds')
    .innerJoin('sound_features', 'sound_features.sound_seq', 'sounds.seq')
    .where('sounds.is_published', '=', 1)
    .where('sound_features.version', '=', FEATURES_VERSION)
    .where('sound_features.numbers', 'is not', null);
}

/** Marks a sound to be compared, unless it has been or cannot be. */
export async function insertUncompared(db: Db, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  await db
    .insertInto('sound_neighbours')
    .columns(['sound_seq', 'type_id'])
    .expression(queryComparable(db).select(['sounds.seq', 'sounds.type_id']).where('sounds.seq', 'in', seqs))
    .onConflict((on) => on.column('sound_seq').doNothing())
    .execute();
}

/** Marks a sound whose numbers have changed. */
export async function markUncompared(db: Db, seq: number): Promise<void> {
  await db.updateTable('sound_neighbours').set({ compared_at: 0 }).where('sound_seq', '=', seq).execute();
}

/** Whether sounds that were stored before wait to be measured. */
export function isMeasuringAnew(db: Db): Promise<boolean> {
  const waiting = db
    .selectFrom('undecoded_sounds')
    .select(sql.lit(1).as('hit'))
    .where('is_fresh', '=', 0)
    .where('state', '=', 'waiting');
  return exists(waiting.limit(1));
}

export async function selectTypeIds(db: Db): Promise<number[]> {
  const rows = await db.selectFrom('sound_types').select('id').orderBy('id').execute();
  return rows.map(({ id }) => id);
}

export function findModel(db: Db, typeId: number) {
  return db.selectFrom('similarity_models').selectAll().where('type_id', '=', typeId).executeTakeFirst();
}

export async function putModel(db: Db, model: Schema['similarity_models']): Promise<void> {
  await db
    .insertInto('similarity_models')
    .values(model)
    .onConflict((on) => on.column('type_id').doUpdateSet(model))
    .execute();
}

export async function updateModel(
  db: Db,
  typeId: number,
  change: Partial<Pick<Schema['similarity_models'], 'seen' | 'round_at' | 'changed_at'>>,
): Promise<void> {
  await db.updateTable('similarity_models').set(change).where('type_id', '=', typeId).execute();
}

/** How many sounds of a type are marked or compared, counted up to `limit`. */
export async function countCompared(db: Db, typeId: number, limit: number): Promise<number> {
  const rows = db
    .selectFrom('sound_neighbours')
    .select(sql.lit(1).as('hit'))
    .where('type_id', '=', typeId)
    .limit(limit);
  const { count } = await db
    .selectFrom(rows.as('rows'))
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .executeTakeFirstOrThrow();
  return Number(count);
}

/** The sounds of a type that were last compared before `before`: new ones first, then the least recently compared. */
export async function selectUncompared(
  db: Db,
  typeId: number,
  before: number,
  limit: number,
): Promise<{ sound_seq: number; compared_at: number }[]> {
  return db
    .selectFrom('sound_neighbours')
    .select(['sound_seq', 'compared_at'])
    .where('type_id', '=', typeId)
    .where('compared_at', '<', before)
    .orderBy('compared_at')
    .orderBy('sound_seq')
    .limit(limit)
    .execute();
}

/** The next public sounds of a type in the order of their seqs, with what they are compared by. */
export function selectNumbers(db: Db, typeId: number, afterSeq: number, limit: number) {
  return queryComparable(db)
    .leftJoin('sound_neighbours', 'sound_neighbours.sound_seq', 'sounds.seq')
    .select(['sounds.seq', 'sounds.artist_id', 'sound_features.numbers'])
    .select('sound_neighbours.type_id as marked')
    .where('sounds.type_id', '=', typeId)
    .where('sounds.seq', '>', afterSeq)
    .orderBy('sounds.seq')
    .limit(limit)
    .execute();
}

/** Stores neighbours that have been found. Returns the ids of sounds whose neighbours changed. */
export async function putNeighbours(
  db: Db,
  found: ReadonlyMap<number, Neighbours>,
  now: number,
): Promise<string[]> {
  if (found.size === 0) return [];
  const before = await db
    .selectFrom('sound_neighbours')
    .innerJoin('sounds', 'sounds.seq', 'sound_neighbours.sound_seq')
    .select([
      'sounds.id',
      'sound_neighbours.sound_seq',
      'sound_neighbours.neighbours',
      'sound_neighbours.sure',
    ])
    .where('sound_neighbours.sound_seq', 'in', [...found.keys()])
    .orderBy('sound_neighbours.sound_seq')
    .execute();
  const changed: string[] = [];
  for (const { id, sound_seq, ...old } of before) {
    const { seqs = [], sure = 0 } = found.get(sound_seq) ?? {};
    const neighbours = seqs.join(' ');
    if (neighbours !== old.neighbours || sure !== old.sure) changed.push(id);
    await db
      .updateTable('sound_neighbours')
      .set({ compared_at: now, neighbours, sure })
      .where('sound_seq', '=', sound_seq)
      .execute();
  }
  return changed;
}

/** Deletes the rows of those sounds that can no longer be compared. */
export async function deleteIncomparable(db: Db, seqs: readonly number[]): Promise<void> {
  if (seqs.length === 0) return;
  await db
    .deleteFrom('sound_neighbours')
    .where('sound_seq', 'in', seqs)
    .where('sound_seq', 'not in', queryComparable(db).select('sounds.seq').where('sounds.seq', 'in', seqs))
    .execute();
}

/** The sounds that are similar to one. */
export async function selectNeighbours(db: Db, seq: number): Promise<Neighbours> {
  const row = await db
    .selectFrom('sound_neighbours')
    .select(['neighbours', 'sure'])
    .where('sound_seq', '=', seq)
    .executeTakeFirst();
  const seqs = (row?.neighbours ?? '').split(' ').filter(Boolean).map(Number);
  return { seqs, sure: row?.sure ?? 0 };
}
