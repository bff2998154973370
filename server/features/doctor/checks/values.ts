import { sql } from 'kysely';
import { DAY_MS } from '../../../../contract/values/time-units.ts';
import { countOf } from '../check.ts';
import type { Check } from '../check.ts';
import { compareRows } from '../comparison.ts';
import { VALUES } from '../parts.ts';
import { findImpossibleTimes } from './times.ts';

/** The part of the platform: its leases, and the times of every table. */
export const values: Check = {
  ...VALUES,
  async run(site) {
    const database = await site.openDatabase();
    const nowMs = site.clock.now();
    const leases = await compareRows(database.db, [
      {
        kind: 'endless-leases',
        // A lease is renewed within minutes.
        query: sql`select 'lease ' || name as name from leases where expires_at > ${nowMs + DAY_MS}`,
        found: (count) => `${countOf(count, 'task')} of the server is reserved for longer than a day.`,
        meaning: 'No process does it until then: hourly jobs, similar sounds or decoding stand still.',
        remedy: 'Delete these rows of the table leases; running processes take them again.',
      },
    ]);
    return [...leases, ...(await findImpossibleTimes(database, nowMs))];
  },
};
