import type { Profile } from '../../../../contract/accounts/profile.ts';
import { findNewest } from '../life-cycle.ts';
import { QUALITY_CHECK } from './kind.ts';
import type { Handle } from '../../../platform/database/handle.ts';

/** The state of a member's newest application for their profile; undefined when there is none. */
export async function findQualityCheckReviewState(
  db: Handle,
  userId: string,
): Promise<Profile['quality_check']> {
  const row = await findNewest(db, QUALITY_CHECK, userId);
  // The query excludes this state.
  if (row === undefined || row.state === 'incoming') return undefined;
  return {
    state: row.state,
    submitted_at: new Date(row.submitted_at).toISOString(),
    ...(row.decided_at === null ? {} : { decided_at: new Date(row.decided_at).toISOString() }),
    ...(row.reason === '' ? {} : { reason: row.reason }),
  };
}
