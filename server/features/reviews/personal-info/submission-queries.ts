import { exists } from '../../../platform/database/statements/outcomes.ts';
import type { Db } from '../tables.ts';

/** Records the location of an image before it is stored. */
export async function insertIncoming(
  db: Db,
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

/** Waiting submissions, oldest first; the first `limit`. */
export function selectPending(db: Db, limit?: number) {
  return db
    .selectFrom('personal_info_submissions as submission')
    .innerJoin('users', 'users.id', 'submission.user_id')
    .select(['submission.id', 'users.id as user_id', 'users.username', 'submission.submitted_at'])
    .where('submission.state', '=', 'pending')
    .orderBy('submission.submitted_at')
    .orderBy('submission.id')
    .$if(limit !== undefined, (query) => query.limit(limit ?? 0))
    .execute();
}

/** A submission that arrived, with its member and who decided on it. */
export function findSubmission(db: Db, id: string) {
  return db
    .selectFrom('personal_info_submissions as submission')
    .innerJoin('users', 'users.id', 'submission.user_id')
    .leftJoin('users as staff', 'staff.id', 'submission.decided_by')
    .select(['submission.id', 'submission.state', 'submission.submitted_at', 'submission.decided_at'])
    .select(['submission.reason', 'users.id as user_id', 'users.username'])
    .select('staff.username as decided_by_name')
    .where('submission.id', '=', id)
    .where('submission.state', '!=', 'incoming')
    .executeTakeFirst();
}

/** Whether a member has sent an ID since a time that is waiting or approved. */
export async function findSubmissionSince(db: Db, userId: string, since: number) {
  return db
    .selectFrom('personal_info_submissions')
    .select('id')
    .where('user_id', '=', userId)
    .where('submitted_at', '>=', since)
    .where('state', 'in', ['pending', 'approved'])
    .executeTakeFirst();
}

/**
 * Rejects a member's submissions since a time, approved or not, at the member's request, unless the member is blocked.
 * Returns the ids.
 */
export async function withdrawSince(
  transaction: Db,
  userId: string,
  since: number,
  { nowMs, reason }: { readonly nowMs: number; readonly reason: string },
): Promise<string[]> {
  const rows = await transaction
    .updateTable('personal_info_submissions')
    .set({ state: 'rejected', decided_at: nowMs, decided_by: userId, reason })
    .where('user_id', '=', userId)
    .where('submitted_at', '>=', since)
    .where('state', 'in', ['pending', 'approved'])
    .where((eb) =>
      eb.exists(eb.selectFrom('users').select('id').where('id', '=', userId).where('is_blocked', '=', 0)),
    )
    .returning('id')
    .execute();
  return rows.map(({ id }) => id);
}

interface View {
  readonly submission_id: string;
  readonly staff_id: string;
}

export async function insertView(db: Db, view: View & { readonly viewed_at: number }): Promise<void> {
  await db.insertInto('personal_info_views').values(view).execute();
}

/** Records that the image could be opened, and beside which details (`hashDetails`). */
export async function markOpened(
  db: Db,
  {
    submission_id,
    staff_id,
    viewed_at,
    details_hash,
  }: View & { readonly viewed_at: number; readonly details_hash: string },
): Promise<void> {
  await db
    .updateTable('personal_info_views')
    .set({ details_hash })
    .where('submission_id', '=', submission_id)
    .where('staff_id', '=', staff_id)
    .where('viewed_at', '=', viewed_at)
    .execute();
}

/** Whether a staff member has viewed an image beside exactly these details. */
export async function hasViewed(
  db: Db,
  { submission_id, staff_id, details_hash }: View & { readonly details_hash: string },
): Promise<boolean> {
  return exists(
    db
      .selectFrom('personal_info_views')
      .select('viewed_at')
      .where('submission_id', '=', submission_id)
      .where('staff_id', '=', staff_id)
      .where('details_hash', '=', details_hash)
      .limit(1),
  );
}
