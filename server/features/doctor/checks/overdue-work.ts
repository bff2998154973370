import { sql } from 'kysely';
import { DAY_MS } from '../../../../contract/time-units.ts';
import { DELETION_GRACE_DAYS } from '../../../../contract/own-data.ts';
import { countOf } from '../check.ts';
import type { Check } from '../check.ts';
import { compareRows } from '../comparison.ts';
import { SOUND_GRACE_DAYS } from '../../catalogue/sound-rows.ts';

/** What the hourly jobs should have done a day ago. */
export const overdueWork: Check = {
  name: 'overdue work',
  priority: 'warning',
  consoleText: '期限を過ぎた処理が残っています',
  async run(site) {
    const { db } = await site.openDatabase();
    const dueMs = site.clock.now() - DAY_MS;
    return compareRows(db, [
      {
        kind: 'undone',
        query: sql`select 'delete member ' || id as name from users
            where deletion_requested_at < ${dueMs - DELETION_GRACE_DAYS * DAY_MS} and deleted_at is null
          union all select 'delete sound ' || id from sounds
            where deleted_at < ${dueMs - SOUND_GRACE_DAYS * DAY_MS}
          union all select 'end the deadline of report ' || id from reports
            where due_at < ${dueMs} and (state = 'unconfirmed' or state like 'waiting%')`,
        found: (count) => `${countOf(count, 'task')} should have been done more than a day ago.`,
        meaning: 'The hourly jobs of the server do not run, or fail. People were promised these times.',
        remedy:
          'Start the server; if it is running, look for "could not be" and "a scheduled job failed" in its log.',
      },
    ]);
  },
};
