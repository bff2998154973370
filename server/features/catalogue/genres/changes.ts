import { sql } from 'kysely';
import type { GenreKind } from '../../../../contract/operator/genres.ts';
import { invalidateCache } from '../../../platform/database/statements/cached.ts';
import { notFound } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/http/context.ts';
import { insertUnindexedSoundsOf } from '../search/reindexing-queries.ts';
import { finishIndexing } from '../search/reindexing.ts';
import { findLastActor, recordAction, requireStaff, toEarlierActorProblem } from '../../staff/actions.ts';
import type { RecordedAction } from '../../staff/actions.ts';
import type { Handle } from '../../../platform/database/handle.ts';
import type { Db } from '../tables.ts';
import { own } from '../tables.ts';

type ChangeDeps = Pick<Platform, 'database' | 'clock' | 'catalogueChanged'>;

const TABLES = { type: 'sound_types', genre: 'genres', 'sub-genre': 'sub_genres' } as const;

export interface GenreChange {
  readonly name?: string;
  /** Position among genres of the same kind, lowest first. */
  readonly position?: number;
  /** Only for types. */
  readonly icon?: string;
}

/**
 * `taken`: another genre of the kind has this name. `used`: the number of sounds that have it. `no-genre`: unknown
 * genre.
 */
export type GenreOutcome =
  | { readonly id: number }
  | { readonly why: 'taken' }
  | { readonly why: 'no-genre' }
  | { readonly why: 'used'; readonly sounds: number };

interface ChangeOptions {
  /** What the genre was when the caller read it. */
  readonly seen?: Required<GenreChange> | undefined;
  readonly index?: (database: ChangeDeps['database']) => Promise<unknown>;
}

/** Adds a genre at the end. `genreId` is for sub-genres. Throws `Problem` 403. */
export function addGenre(
  deps: ChangeDeps,
  staffId: string,
  kind: GenreKind,
  { name, icon, genreId }: { readonly name: string; readonly icon?: string; readonly genreId?: number },
): Promise<GenreOutcome> {
  return change(deps, staffId, `add ${kind}`, async (transaction) => {
    if (genreId !== undefined && !(await findGenre(transaction, 'genre', genreId)))
      return { why: 'no-genre' };
    if (await isNameTaken(transaction, kind, name, genreId)) return { why: 'taken' };
    const values = {
      name,
      ...(icon !== undefined && { icon }),
      ...(genreId !== undefined && { genre_id: genreId }),
    };
    const { rows } = await sql<{ id: number }>`
      insert into ${sql.table(TABLES[kind])} (${sql.join([...Object.keys(values), 'position'].map((key) => sql.ref(key)))})
      values (${sql.join(Object.values(values))},
        (select coalesce(max(position), -1) + 1 from ${sql.table(TABLES[kind])}))
      returning id`.execute(transaction);
    return { id: rows[0]?.id ?? 0, note: name };
  });
}

/**
 * Changes the given fields. Waits for `index`, by default until the sounds are indexed under the new name or icon. Throws
 * `Problem` 403, 404, and 409 that names who changed it if it is no longer as `seen`.
 */
export async function changeGenre(
  deps: ChangeDeps,
  staffId: string,
  kind: GenreKind,
  id: number,
  { name, position, icon }: GenreChange,
  { seen, index = finishIndexing }: ChangeOptions = {},
): Promise<GenreOutcome> {
  const outcome = await change(deps, staffId, `change ${kind}`, async (transaction) => {
    const before = await findGenre(transaction, kind, id);
    if (before === undefined) throw notFound();
    if (seen && !isAsSeen(before, seen)) {
      const last = await findLastActor(transaction, String(id), [`change ${kind}`]);
      throw toEarlierActorProblem(last?.username, '変更しています');
    }
    const isRenamed = name !== undefined && name !== before.name;
    if (isRenamed && (await isNameTaken(transaction, kind, name, before.genreId))) return { why: 'taken' };
    const values = {
      ...(name !== undefined && { name }),
      ...(position !== undefined && { position }),
      ...(icon !== undefined && { icon }),
    };
    await own(transaction).updateTable(TABLES[kind]).set(values).where('id', '=', id).execute();
    // The icon of a type says whether its sounds have a tempo.
    if (isRenamed || icon !== undefined) await insertUnindexedSoundsOf(transaction, kind, id);
    return { id, note: `${before.name}: ${JSON.stringify(values)}` };
  });
  if ('id' in outcome && (name !== undefined || icon !== undefined)) await index(deps.database);
  return outcome;
}

/** Removes a genre without sounds, and its sub-genres with it. Throws `Problem` 403, 404. */
export function removeGenre(
  deps: ChangeDeps,
  staffId: string,
  kind: GenreKind,
  id: number,
): Promise<GenreOutcome> {
  return change(deps, staffId, `remove ${kind}`, async (transaction) => {
    const before = await findGenre(transaction, kind, id);
    if (before === undefined) throw notFound();
    const sounds = await countSoundsOf(transaction, kind, id);
    if (sounds > 0) return { why: 'used', sounds };
    await own(transaction).deleteFrom(TABLES[kind]).where('id', '=', id).execute();
    return { id, note: before.name };
  });
}

/** Makes the change and its record in one transaction. */
async function change(
  { database, clock, catalogueChanged }: ChangeDeps,
  staffId: string,
  action: RecordedAction['action'],
  apply: (
    transaction: Handle,
  ) => Promise<{ id: number; note: string } | Exclude<GenreOutcome, { id: number }>>,
): Promise<GenreOutcome> {
  const outcome = await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    const applied = await apply(transaction);
    if ('why' in applied) return applied;
    const { id, note } = applied;
    await recordAction(transaction, { staffId, action, subject: String(id), note }, clock.now());
    return { id };
  });
  if ('id' in outcome) {
    invalidateCache(database);
    catalogueChanged();
  }
  return outcome;
}

/** A genre, which nobody else changes before the transaction ends. */
async function findGenre(db: Db, kind: GenreKind, id: number) {
  const row = await db
    .selectFrom(TABLES[kind])
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { name, position } = row;
  const icon = 'icon' in row ? row.icon : '';
  return { name, position, icon, genreId: 'genre_id' in row ? row.genre_id : undefined };
}

function isAsSeen(genre: Required<GenreChange>, seen: Required<GenreChange>): boolean {
  return genre.name === seen.name && genre.position === seen.position && genre.icon === seen.icon;
}

async function isNameTaken(
  db: Db,
  kind: GenreKind,
  name: string,
  genreId: number | undefined,
): Promise<boolean> {
  let query = db.selectFrom(TABLES[kind]).select('id').where('name', '=', name);
  if (kind === 'sub-genre' && genreId !== undefined) query = query.where('genre_id', '=', genreId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

async function countSoundsOf(db: Db, kind: GenreKind, id: number): Promise<number> {
  if (kind === 'type') {
    const { sounds } = await db
      .selectFrom('sounds')
      .select((eb) => eb.fn.countAll<number>().as('sounds'))
      .where('type_id', '=', id)
      .executeTakeFirstOrThrow();
    return Number(sounds);
  }
  const { sounds } = await db
    .selectFrom('sound_sub_genres')
    .innerJoin('sub_genres', 'sub_genres.id', 'sub_genre_id')
    .select((eb) => eb.fn.count<number>('sound_seq').distinct().as('sounds'))
    .where(kind === 'genre' ? 'sub_genres.genre_id' : 'sub_genres.id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(sounds);
}
