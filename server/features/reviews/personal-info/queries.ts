import type { Kysely, Transaction } from 'kysely';
import { PAYOUT_FIELDS } from '../../../../contract/profile-fields.ts';
import type { PersonalInfoStatus, Schema } from '../../../platform/database/database.ts';

/** The state of a member's newest submission: when it was sent (epoch ms), and why it was rejected. */
export interface PersonalInfoStanding {
  readonly submittedAt: number;
  /** '' unless it was rejected. */
  readonly reason: string;
}

/** Of the newest submission; undefined when there is none. */
export async function findPersonalInfoStanding(
  db: Kysely<Schema>,
  userId: string,
): Promise<PersonalInfoStanding | undefined> {
  const row = await db
    .selectFrom('personal_info_submissions')
    .select(['submitted_at', 'reason'])
    .where('user_id', '=', userId)
    .where('state', '!=', 'incoming')
    .orderBy('submitted_at', 'desc')
    // A waiting one counts as the newest, even within the same millisecond.
    .orderBy((eb) => eb.case().when('state', '=', 'pending').then(0).else(1).end())
    .limit(1)
    .executeTakeFirst();
  return row && { submittedAt: row.submitted_at, reason: row.reason };
}

/** The sender of an ID, with what decides whether they may send one. */
export function findApplicant(db: Kysely<Schema>, userId: string) {
  return selectApplicant(db, userId).executeTakeFirst();
}

/** Same as `findApplicant`, locked until the transaction ends. */
export function lockApplicant(transaction: Transaction<Schema>, userId: string) {
  return selectApplicant(transaction, userId).forNoKeyUpdate().executeTakeFirst();
}
export type Applicant = NonNullable<Awaited<ReturnType<typeof findApplicant>>>;

function selectApplicant(db: Kysely<Schema>, userId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'personal_info_status', ...PAYOUT_FIELDS])
    .where('id', '=', userId);
}

export async function updateStanding(
  db: Kysely<Schema>,
  userId: string,
  personal_info_status: Exclude<PersonalInfoStatus, ''>,
): Promise<void> {
  const is_personal_info_verified = personal_info_status === 'confirmed' ? 1 : 0;
  await db
    .updateTable('users')
    .set({ personal_info_status, is_personal_info_verified })
    .where('id', '=', userId)
    .execute();
}
