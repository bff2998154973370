import { sql } from 'kysely';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import { countOf } from '../doctor/check.ts';
import type { Check } from '../doctor/check.ts';
import { SET_RIGHT, checkRows } from '../doctor/comparison.ts';
import { OVERDUE, RECORDS, UNDONE } from '../doctor/parts.ts';

/** What the doctor checks of reports. */
export const REPORT_CHECKS: readonly Check[] = [
  checkRows(OVERDUE, (nowMs) => [
    {
      ...UNDONE,
      query: sql`select 'end the deadline of report ' || id as name from reports
        where due_at < ${nowMs - DAY_MS} and (state = 'unconfirmed' or state like 'waiting%')`,
    },
  ]),
  checkRows(RECORDS, () => [
    {
      kind: 'undated-reports',
      query: sql`select 'report ' || id as name from reports where due_at is null
        and (state = 'unconfirmed' or state like 'waiting%' and asking = 'asked')`,
      found: (count) => `${countOf(count, 'report', 'waits')} without a deadline.`,
      meaning: 'It never becomes due, and nobody is reminded of it.',
      remedy: SET_RIGHT,
    },
    {
      kind: 'report-states',
      query: sql`select 'report ' || reports.id as name from reports
        left join report_events as last on last.report_id = reports.id and last.version = reports.version
        where last.state is null or last.state <> reports.state`,
      found: (count) => `${countOf(count, 'report')} is in another state than its last event says.`,
      meaning: 'Its deadlines, and whether the sound is hidden, follow the wrong state.',
      remedy: SET_RIGHT,
    },
  ]),
];
