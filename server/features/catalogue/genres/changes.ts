import { sql } from 'kysely';
import type { LabelKind } from '../../../../contract/operator/labels.ts';
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

/** The labels that classify sounds. */
export type Label = LabelKind;

const TABLES = { type: 'sound_types', genre: 'genres', 'sub-genre': 'sub_genres' } as const;

export interface LabelChange {
  readonly name?: string;
  /** Position among labels of the same kind, lowest first. */
  readonly position?: number;
  /** Only for types. */
  readonly icon?: string;
}

/**
 * `taken`: another label of the kind has this name. `used`: the number of sounds that have it. `no-genre`: unknown
 * genre.
 */
export type LabelOutcome =
  | { readonly id: number }
  | { readonly why: 'taken' }
  | { readonly why: 'no-genre' }
  | { readonly why: 'used'; readonly sounds: number };

interface ChangeOptions {
  /** What the label was when the caller read it. */
  readonly seen?: Required<LabelChange> | undefined;
  readonly index?: (database: ChangeDeps['database']) => Promise<unknown>;
}

/** Adds a label at the end. `genreId` is for sub-genres. Throws `Problem` 403. */
export function addLabel(
  deps: ChangeDeps,
  staffId: string,
  label: Label,
  { name, icon, genreId }: { readonly name: string; readonly icon?: string; readonly genreId?: number },
): Promise<LabelOutcome> {
  return change(deps, staffId, `add ${label}`, async (transaction) => {
    if (genreId !== undefined && !(await findLabel(transaction, 'genre', genreId)))
      return { why: 'no-genre' };
    if (await isNameTaken(transaction, label, name, genreId)) return { why: 'taken' };
    const values = {
      name,
      ...(icon !== undefined && { icon }),
      ...(genreId !== undefined && { genre_id: genreId }),
    };
    const { rows } = await sql<{ id: number }>`
      insert into ${sql.table(TABLES[label])} (${sql.join([...Object.keys(values), 'position'].map((key) => sql.ref(key)))})
      values (${sql.join(Object.values(values))},
        (select coalesce(max(position), -1) + 1 from ${sql.table(TABLES[label])}))
      returning id`.execute(transaction);
    return { id: rows[0]?.id ?? 0, note: name };
  });
}

/**
 * Changes the given fields. Waits for `index`, by default until the sounds are indexed under the new name or icon. Throws
 * `Problem` 403, 404, and 409 that names who changed it if it is no longer as `seen`.
 */
export async function changeLabel(
  deps: ChangeDeps,
  staffId: string,
  label: Label,
  id: number,
  { name, position, icon }: LabelChange,
  { seen, index = finishIndexing }: ChangeOptions = {},
): Promise<LabelOutcome> {
  const outcome = await change(deps, staffId, `change ${label}`, async (transaction) => {
    const before = await findLabel(transaction, label, id);
    if (before === undefined) throw notFound();
    if (seen && !isAsSeen(before, seen)) {
      const last = await findLastActor(transaction, String(id), [`change ${label}`]);
      throw toEarlierActorProblem(last?.username, '変更しています');
    }
    const isRenamed = name !== undefined && name !== before.name;
    if (isRenamed && (await isNameTaken(transaction, label, name, before.genreId))) return { why: 'taken' };
    const values = {
      ...(name !== undefined && { name }),
      ...(position !== undefined && { position }),
      ...(icon !== undefined && { icon }),
    };
    await own(transaction).updateTable(TABLES[label]).set(values).where('id', '=', id).execute();
    // The icon of a type says whether its sounds have a tempo.
    if (isRenamed || icon !== undefined) await insertUnindexedSoundsOf(transaction, label, id);
    return { id, note: `${before.name}: ${JSON.stringify(values)}` };
  });
  if ('id' in outcome && (name !== undefined || icon !== undefined)) await index(deps.database);
  return outcome;
}

/** Removes a label without sounds; a genre is removed with its sub-genres. Throws `Problem` 403, 404. */
export function removeLabel(
  deps: ChangeDeps,
  staffId: string,
  label: Label,
  id: number,
): Promise<LabelOutcome> {
  return change(deps, staffId, `remove ${label}`, async (transaction) => {
    const before = await findLabel(transaction, label, id);
    if (before === undefined) throw notFound();
    const sounds = await countSoundsOf(transaction, label, id);
    if (sounds > 0) return { why: 'used', sounds };
    await own(transaction).deleteFrom(TABLES[label]).where('id', '=', id).execute();
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
  ) => Promise<{ id: number; note: string } | Exclude<LabelOutcome, { id: number }>>,
): Promise<LabelOutcome> {
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

/** A label, which nobody else changes before the transaction ends. */
async function findLabel(db: Db, label: Label, id: number) {
  const row = await db
    .selectFrom(TABLES[label])
    .selectAll()
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst();
  if (row === undefined) return undefined;
  const { name, position } = row;
  const icon = 'icon' in row ? row.icon : '';
  return { name, position, icon, genreId: 'genre_id' in row ? row.genre_id : undefined };
}

function isAsSeen(label: Required<LabelChange>, seen: Required<LabelChange>): boolean {
  return label.name === seen.name && label.position === seen.position && label.icon === seen.icon;
}

async function isNameTaken(
  db: Db,
  label: Label,
  name: string,
  genreId: number | undefined,
): Promise<boolean> {
  let query = db.selectFrom(TABLES[label]).select('id').where('name', '=', name);
  if (label === 'sub-genre' && genreId !== undefined) query = query.where('genre_id', '=', genreId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

async function countSoundsOf(db: Db, label: Label, id: number): Promise<number> {
  if (label === 'type') {
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
    .where(label === 'genre' ? 'sub_genres.genre_id' : 'sub_genres.id', '=', id)
    .executeTakeFirstOrThrow();
  return Number(sounds);
}
