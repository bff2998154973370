import type { Insertable, Kysely, Transaction } from 'kysely';
import type { Schema } from '../../../platform/database/database.ts';

type Db = Kysely<Schema>;

/** The applicant, with what decides whether they may apply. */
export function findApplicant(db: Db, userId: string) {
  return selectApplicant(db, userId).executeTakeFirst();
}

/** Same as `findApplicant`, locked until the transaction ends. */
export function lockApplicant(transaction: Transaction<Schema>, userId: string) {
  return selectApplicant(transaction, userId).forNoKeyUpdate().executeTakeFirst();
}
export type Applicant = NonNullable<Awaited<ReturnType<typeof findApplicant>>>;

function selectApplicant(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'status', 'is_verified', 'is_blocked'])
    .where('id', '=', userId);
}

export async function updateApplicant(
  db: Db,
  userId: string,
  standing: { readonly status: '' | 'pending'; readonly is_verified?: 1 },
): Promise<void> {
  await db.updateTable('users').set(standing).where('id', '=', userId).execute();
}

/** Records the files and their locations before any is stored. */
export async function insertIncoming(
  db: Db,
  application: { readonly id: string; readonly user_id: string; readonly submitted_at: number },
  typeIds: readonly number[],
  files: readonly Omit<Insertable<Schema['quality_check_files']>, 'quality_check_id'>[],
): Promise<void> {
  const quality_check_id = application.id;
  await db.transaction().execute(async (transaction) => {
    await transaction
      .insertInto('quality_checks')
      .values({ ...application, state: 'incoming', decided_at: null, decided_by: null })
      .execute();
    await transaction
      .insertInto('quality_check_types')
      .values(typeIds.map((type_id) => ({ quality_check_id, type_id })))
      .execute();
    await transaction
      .insertInto('quality_check_files')
      .values(files.map((file) => ({ ...file, quality_check_id })))
      .execute();
  });
}

/** Whether the row still existed: one that took too long has been removed. */
export async function markPending(db: Db, id: string, submitted_at: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('quality_checks')
    .set({ state: 'pending', submitted_at })
    .where('id', '=', id)
    .where('state', '=', 'incoming')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

/** Deletes the row with its dependent rows. */
export async function deleteIncoming(db: Db, id: string): Promise<void> {
  await db.deleteFrom('quality_checks').where('id', '=', id).where('state', '=', 'incoming').execute();
}

/** Decides on a waiting application. Of concurrent calls, one gets its owner's id and the others undefined. */
export async function markDecided(
  db: Db,
  id: string,
  decision: {
    readonly state: 'approved' | 'rejected';
    readonly decided_at: number;
    readonly decided_by: string;
    readonly reason: string;
  },
): Promise<string | undefined> {
  const row = await db
    .updateTable('quality_checks')
    .set(decision)
    .where('id', '=', id)
    .where('state', '=', 'pending')
    .returning('user_id')
    .executeTakeFirst();
  return row?.user_id;
}

/** The files of an application that are still stored. */
export async function selectKept(db: Db, id: string) {
  return db
    .selectFrom('quality_check_files')
    .innerJoin('quality_checks', 'quality_checks.id', 'quality_check_id')
    .select(['object_key', 'state'])
    .where('quality_check_id', '=', id)
    .execute();
}

export async function forgetObjects(db: Db, id: string): Promise<void> {
  await db
    .updateTable('quality_check_files')
    .set({ object_key: null })
    .where('quality_check_id', '=', id)
    .execute();
}

/**
 * Applications whose files should be gone: decided ones, and those that were sent before a time and never completed.
 */
export async function selectLeftovers(db: Db, incomingBefore: number): Promise<string[]> {
  const decided = await db
    .selectFrom('quality_check_files')
    .innerJoin('quality_checks', 'quality_checks.id', 'quality_check_id')
    .select('quality_checks.id')
    .distinct()
    .where('object_key', 'is not', null)
    .where('state', 'in', ['approved', 'rejected'])
    .execute();
  const incoming = await db
    .selectFrom('quality_checks')
    .select('id')
    .where('state', '=', 'incoming')
    .where('submitted_at', '<', incomingBefore)
    .execute();
  return [...decided, ...incoming].map(({ id }) => id);
}
