import type { Kysely } from 'kysely';
import type { Profile } from '../../../../contract/profile.ts';
import type { Schema } from '../../../platform/database/database.ts';

/** The state of a member's newest application for their profile; undefined when there is none. */
export async function findQualityCheckStanding(
  db: Kysely<Schema>,
  userId: string,
): Promise<Profile['quality_check']> {
  const row = await db
    .selectFrom('quality_checks')
    .select(['state', 'submitted_at', 'decided_at', 'reason'])
    .where('user_id', '=', userId)
    .where('state', '!=', 'incoming')
    .orderBy('submitted_at', 'desc')
    // A waiting one counts as the newest, even within the same millisecond.
    .orderBy((eb) => eb.case().when('state', '=', 'pending').then(0).else(1).end())
    .limit(1)
    .executeTakeFirst();
  if (row === undefined || row.state === 'incoming') return undefined;
  return {
    state: row.state,
    submitted_at: new Date(row.submitted_at).toISOString(),
    ...(row.decided_at === null ? {} : { decided_at: new Date(row.decided_at).toISOString() }),
    ...(row.reason === '' ? {} : { reason: row.reason }),
  };
}
