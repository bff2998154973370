import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { QUEUES, QUEUE_COUNT_MAX } from '../../../contract/operator/operator.ts';
import type { QueueName } from '../../../contract/operator/operator.ts';
import type { Schema } from '../../platform/database/schema.ts';
import { DUE_STATES } from '../reports/staff-view.ts';
import type { Db } from './tables.ts';

/** What waits for the staff. Each table has an index by state and `order`, and one for `also`. */
const TABLES: Readonly<
  Record<
    QueueName,
    {
      readonly table: keyof Schema;
      readonly states: readonly string[];
      /** Other rows that wait. */
      readonly also?: RawBuilder<unknown>;
      /** When a row began to wait. */
      readonly since: string;
      readonly order?: string;
    }
  >
> = {
  'quality-checks': { table: 'quality_checks', states: ['pending'], since: 'submitted_at' },
  'personal-info': { table: 'personal_info_submissions', states: ['pending'], since: 'submitted_at' },
  transfers: { table: 'transfer_requests', states: ['requested'], since: 'created_at' },
  credits: { table: 'download_credits', states: ['held'], since: 'created_at' },
  reports: {
    table: 'reports',
    states: DUE_STATES,
    also: sql`state = 'waiting' and asking = 'held'`,
    since: 'created_at',
  },
  uses: { table: 'uses', states: ['reported'], since: 'created_at' },
  'failed-mails': {
    table: 'mail_outbox',
    states: ['given-up'],
    since: 'created_at',
    order: 'next_attempt_at',
  },
};

export interface QueueState {
  readonly name: QueueName;
  /** Ends at `QUEUE_COUNT_MAX`. */
  readonly count: number;
  /** Since when the oldest waits, in epoch ms; null for an empty queue. */
  readonly oldest_at: number | null;
}

/** The queues, each counted up to `QUEUE_COUNT_MAX`, so that the time does not grow with the tables. */
export async function readQueues(db: Db): Promise<QueueState[]> {
  const found: QueueState[] = [];
  for (const name of QUEUES) found.push({ name, ...(await readQueue(db, name)) });
  return found;
}

async function readQueue(db: Db, name: QueueName): Promise<Omit<QueueState, 'name'>> {
  const { table, states, also, since, order = since } = TABLES[name];
  const conditions = states.map((state): RawBuilder<unknown> => sql`state = ${state}`);
  if (also !== undefined) conditions.push(also);
  let total = 0;
  const oldest: number[] = [];
  for (const condition of conditions) {
    // One state at a time: with several, a database would sort all rows by age before it counts some.
    const { rows } = await sql<{ count: number; oldest_at: number | null }>`
      select count(*) as count, min(since) as oldest_at from (
        select ${sql.ref(since)} as since from ${sql.table(table)} where ${condition}
        order by ${sql.ref(order)} limit ${QUEUE_COUNT_MAX}) capped`.execute(db);
    for (const { count, oldest_at } of rows) {
      total += Number(count);
      if (oldest_at !== null) oldest.push(Number(oldest_at));
    }
  }
  return {
    count: Math.min(total, QUEUE_COUNT_MAX),
    oldest_at: oldest.length === 0 ? null : Math.min(...oldest),
  };
}
