import { sql } from 'kysely';
import { DELETION_GRACE_DAYS } from '../../../contract/accounts/own-data.ts';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import type { Check } from '../doctor/check.ts';
import { checkRows } from '../doctor/comparison.ts';
import { OVERDUE, UNDONE } from '../doctor/parts.ts';

/** What the doctor checks of the deletion of accounts. */
export const OWN_DATA_CHECKS: readonly Check[] = [
  checkRows(OVERDUE, (nowMs) => [
    {
      ...UNDONE,
      query: sql`select 'delete member ' || id as name from users
        where deletion_requested_at < ${nowMs - (DELETION_GRACE_DAYS + 1) * DAY_MS} and deleted_at is null`,
    },
  ]),
];
