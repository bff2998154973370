import { sql } from 'kysely';
import { countOf } from '../../doctor/check.ts';
import { SET_RIGHT, checkRows } from '../../doctor/comparison.ts';
import { RECORDS } from '../../doctor/parts.ts';

/** Whether the rows of submissions and of their members agree. */
export const reviewRows = checkRows(RECORDS, () => [
  {
    kind: 'unmarked-submissions',
    query: sql`select 'quality check ' || quality_checks.id as name from quality_checks
        join users on users.id = user_id where state = 'pending' and status <> 'pending'
      union all
      select 'ID ' || submissions.id from personal_info_submissions as submissions
        join users on users.id = user_id where state = 'pending' and personal_info_status <> 'pending'`,
    found: (count) => `${countOf(count, 'submission')} waits, but its member is not marked as waiting.`,
    meaning: 'The member can submit again, which fails, and the decision may not reach them.',
    remedy: 'Decide on the submission; that sets the member right.',
  },
  {
    kind: 'unverified-members',
    query: sql`select 'member ' || id as name from users
      where (personal_info_status = 'confirmed') <> (is_personal_info_verified = 1)`,
    found: (count) => `${countOf(count, 'member', 'is')} both verified and not verified by an ID.`,
    meaning: 'A payout is refused to a verified member, or possible for another one.',
    remedy: SET_RIGHT,
  },
]);
