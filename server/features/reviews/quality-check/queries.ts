import type { Insertable } from 'kysely';
import { changesRows } from '../../../platform/database/statements/outcomes.ts';
import { randomId } from '../../../platform/database/statements/random-id.ts';
import type { Schema } from '../../../platform/database/schema.ts';
import type { Db } from '../tables.ts';

/** A member's applications, locked until the transaction ends: none is decided meanwhile. */
export async function lockApplications(db: Db, userId: string): Promise<void> {
  await db
    .selectFrom('quality_checks')
    .select('id')
    .where('user_id', '=', userId)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
}

/** A member whose check may be taken back, locked until the transaction ends. */
export function lockArtist(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['username', 'email', 'is_verified', 'is_blocked', 'deletion_requested_at'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}

/** Turns the approval of a member into a rejection; adds one if the approved application was deleted by age. */
export async function rejectApproved(
  db: Db,
  userId: string,
  decided: { readonly decided_at: number; readonly decided_by: string; readonly reason: string },
): Promise<void> {
  const decision = { ...decided, state: 'rejected' } as const;
  const approved = db
    .updateTable('quality_checks')
    .set(decision)
    .where('user_id', '=', userId)
    .where('state', '=', 'approved');
  if (await changesRows(approved)) return;
  const application = { id: randomId(), user_id: userId, submitted_at: decided.decided_at };
  await db
    .insertInto('quality_checks')
    .values({ ...application, ...decision })
    .execute();
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

/** The files of a waiting application that are not decoded yet. */
export async function selectUndecodedFiles(db: Db, applicationId: string) {
  const rows = await db
    .selectFrom('quality_check_files')
    .innerJoin('quality_checks', 'quality_checks.id', 'quality_check_id')
    .select(['slot', 'object_key', 'size_bytes', 'duration_ms'])
    .where('quality_check_id', '=', applicationId)
    .where('state', '=', 'pending')
    .where('analysis', 'is', null)
    .orderBy('slot')
    .execute();
  return rows.flatMap(({ object_key: objectKey, slot, size_bytes: sizeBytes, duration_ms: durationMs }) =>
    objectKey === null ? [] : [{ slot, objectKey, sizeBytes: Number(sizeBytes), durationMs }],
  );
}

export async function setAnalysis(
  db: Db,
  applicationId: string,
  slot: number,
  analysis: string,
): Promise<void> {
  await db
    .updateTable('quality_check_files')
    .set({ analysis })
    .where('quality_check_id', '=', applicationId)
    .where('slot', '=', slot)
    .execute();
}
