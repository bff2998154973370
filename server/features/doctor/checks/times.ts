import { sql } from 'kysely';
import { DAY_MS } from '../../../../contract/values/time-units.ts';
import type { Database } from '../../../platform/database/open.ts';
import { Tally, countOf } from '../check.ts';
import type { Diagnosis, Finding } from '../check.ts';
import { SET_RIGHT } from '../comparison.ts';

/** In January 2000. A time in seconds is before it, and so is that of a machine without a clock. */
const EARLIEST_MS = 947_000_000_000;
/** Columns with a time in epoch ms, also of tables and columns that a later migration adds. */
const TIME = /(?:^|_)(?:at|since|until|before)$/;
/** How far ahead a time may be, by the name of its column. Other times have passed, by a clock that may be wrong. */
const AHEAD_MS: Readonly<Record<string, number>> = {
  expires_at: 100 * DAY_MS,
  due_at: 100 * DAY_MS,
  mailed_at: 100 * DAY_MS,
  next_attempt_at: 100 * DAY_MS,
  not_before: 100 * DAY_MS,
  payout_held_until: 100 * DAY_MS,
  begins_at: Infinity,
  ends_at: Infinity,
};
/** These have findings of their own, which say what to do. */
const EXPLAINED = new Set(['leases.expires_at', 'sessions.expires_at', 'mail_outbox.next_attempt_at']);
/** Texts, such as the minutes of a notice. */
const OTHER_TYPES = /^text/i;

const IMPOSSIBLE: Diagnosis = {
  kind: 'impossible-times',
  found: (count) => `${countOf(count, 'row', 'has')} a time before the year 2000 or far ahead.`,
  meaning:
    'What waits for it happens at once or never: deadlines, links, payouts, and deletions of what is old. Lists are in a wrong order.',
  remedy: SET_RIGHT,
};

/** Finds times that no clock can have written, in every column of every table. 0 means that there is none. */
export async function findImpossibleTimes(
  { db, dialect }: Pick<Database, 'db' | 'dialect'>,
  nowMs: number,
): Promise<Finding[]> {
  const tally = new Tally();
  for (const [table, columns] of Map.groupBy(await listColumns({ db, dialect }), (each) => each.table)) {
    const counts = columns.map(({ column }) => {
      const ahead = AHEAD_MS[column] ?? DAY_MS;
      const time = sql.ref(column);
      const isLate = ahead === Infinity ? sql`false` : sql`${time} > ${nowMs + ahead}`;
      return sql`count(case when ${time} <> 0 and (${time} < ${EARLIEST_MS} or ${isLate}) then 1 end)
        as ${sql.ref(column)}`;
    });
    // One pass over the table.
    const query = sql<Record<string, number>>`select ${sql.join(counts)} from ${sql.table(table)}`;
    for (const [column, count] of Object.entries((await query.execute(db)).rows[0] ?? {}))
      if (Number(count) > 0) tally.add(`${table}.${column}: ${countOf(Number(count), 'row')}`, Number(count));
  }
  return tally.diagnose(IMPOSSIBLE);
}

interface Column {
  readonly table: string;
  readonly column: string;
  readonly type: string;
}

async function listColumns({ db, dialect }: Pick<Database, 'db' | 'dialect'>): Promise<Column[]> {
  const { rows } = await (dialect === 'sqlite' ? OF_SQLITE : OF_POSTGRES).execute(db);
  return rows.filter(
    ({ table, column, type }) =>
      TIME.test(column) && !OTHER_TYPES.test(type) && !EXPLAINED.has(`${table}.${column}`),
  );
}

const OF_SQLITE = sql<Column>`
  select tables.name as "table", columns.name as "column", columns.type as type
  from pragma_table_list as tables, pragma_table_info(tables.name) as columns
  where tables.schema = 'main' and tables.type = 'table'`;

const OF_POSTGRES = sql<Column>`
  select table_name as "table", column_name as "column", data_type as type
  from information_schema.columns join information_schema.tables using (table_schema, table_name)
  where table_schema = current_schema() and table_type = 'BASE TABLE'`;
