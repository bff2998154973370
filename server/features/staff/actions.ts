import type { Kysely } from 'kysely';
import { randomId } from '../../platform/database/database.ts';
import type { Schema } from '../../platform/database/database.ts';
import { Problem } from '../../platform/http/http.ts';

export interface StaffAction {
  /** Who did it; null for the first staff account, and for what the server does when a time limit has passed. */
  readonly staffId: string | null;
  /** What was done, such as `approve quality check`. */
  readonly action: string;
  /** The id of what it was done to. */
  readonly subject: string;
  readonly note?: string;
}

/** Throws `Problem` 403 for who is no staff, no longer, or blocked; belongs in the transaction of what they decide. */
export async function requireStaff(db: Kysely<Schema>, userId: string): Promise<void> {
  const row = await db
    .selectFrom('users')
    .select(['is_staff', 'is_blocked'])
    .where('id', '=', userId)
    .executeTakeFirst();
  if (row?.is_staff !== 1 || row.is_blocked === 1) throw new Problem(403, '運営者だけが操作できます。');
}

/** Puts on record what the staff has done; belongs in the transaction of what was done. */
export async function recordAction(
  db: Kysely<Schema>,
  { staffId, action, subject, note = '' }: StaffAction,
  nowMs: number,
): Promise<void> {
  await db
    .insertInto('operator_actions')
    .values({ id: randomId(), staff_id: staffId, action, subject, at: nowMs, note })
    .execute();
}

/**
 * Ids of the staff accounts that can decide, in an order that all processes share. None of them changes until the
 * transaction ends.
 */
export async function lockStaff(db: Kysely<Schema>): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('is_staff', '=', 1)
    .where('is_blocked', '=', 0)
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}
