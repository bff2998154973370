import type { Kysely, Transaction } from 'kysely';
import type { DialectName } from '../../database/migration.ts';
import type { Schema } from '../../database/schema.ts';

/** Notes where an image is going to lie, before it does. */
export async function insertIncoming(
  db: Kysely<Schema>,
  row: {
    readonly id: string;
    readonly user_id: string;
    readonly object_key: string;
    readonly submitted_at: number;
  },
): Promise<void> {
  await db
    .insertInto('personal_info_submissions')
    .values({ ...row, state: 'incoming', decided_at: null, decided_by: null })
    .execute();
}

/** Whether the row is still there: one that took too long has been swept away. */
export async function markPending(db: Kysely<Schema>, id: string): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('personal_info_submissions')
    .set({ state: 'pending' })
    .where('id', '=', id)
    .where('state', '=', 'incoming')
    .executeTakeFirstOrThrow();
  return numUpdatedRows > 0n;
}

export async function deleteIncoming(db: Kysely<Schema>, id: string): Promise<void> {
  await db
    .deleteFrom('personal_info_submissions')
    .where('id', '=', id)
    .where('state', '=', 'incoming')
    .execute();
}

/** Those that wait, the oldest first, with what an image is compared with. */
export function selectPending(db: Kysely<Schema>) {
  return db
    .selectFrom('personal_info_submissions as submission')
    .innerJoin('users', 'users.id', 'submission.user_id')
    .select(['submission.id', 'users.id as user_id', 'users.username', 'users.name', 'users.furigana'])
    .select('submission.submitted_at')
    .where('submission.state', '=', 'pending')
    .orderBy('submission.submitted_at')
    .orderBy('submission.id')
    .execute();
}

export function findSubmission(db: Kysely<Schema>, id: string) {
  return selectSubmission(db, id).executeTakeFirst();
}

/** Nobody else decides on it until the transaction ends. */
export function lockSubmission(transaction: Transaction<Schema>, dialect: DialectName, id: string) {
  return selectSubmission(transaction, id)
    .$if(dialect === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirst();
}

function selectSubmission(db: Kysely<Schema>, id: string) {
  return db
    .selectFrom('personal_info_submissions')
    .select(['id', 'user_id', 'object_key', 'state'])
    .where('id', '=', id);
}

export async function markDecided(
  db: Kysely<Schema>,
  id: string,
  decision: {
    readonly state: 'confirmed' | 'rejected';
    readonly decided_at: number;
    readonly decided_by: string;
    readonly reason: string;
  },
): Promise<void> {
  await db.updateTable('personal_info_submissions').set(decision).where('id', '=', id).execute();
}

/** Images that should be gone: of decided submissions, and of those that came before a time and got no further. */
export function selectLeftovers(db: Kysely<Schema>, incomingBefore: number) {
  return db
    .selectFrom('personal_info_submissions')
    .select(['id', 'object_key', 'state'])
    .where('object_key', 'is not', null)
    .where((eb) =>
      eb.or([
        eb('state', 'in', ['confirmed', 'rejected']),
        eb.and([eb('state', '=', 'incoming'), eb('submitted_at', '<', incomingBefore)]),
      ]),
    )
    .execute();
}

export async function forgetObject(db: Kysely<Schema>, id: string): Promise<void> {
  await db.updateTable('personal_info_submissions').set({ object_key: null }).where('id', '=', id).execute();
}

export async function insertView(
  db: Kysely<Schema>,
  view: { readonly submission_id: string; readonly staff_id: string; readonly viewed_at: number },
): Promise<void> {
  await db.insertInto('personal_info_views').values(view).execute();
}
