import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { QUEUES, QUEUE_COUNT_MAX } from '../../contract/operator/operator.ts';
import type { QueueName } from '../../contract/operator/operator.ts';
import type { Handle } from '../platform/database/handle.ts';
import type { Schema } from '../platform/database/schema.ts';
import type { Feature } from './feature.ts';

/** Rows of one table that wait for the staff. The table has an index by state and `order`, and one for `also`. */
export interface WaitingQueue {
  readonly name: QueueName;
  readonly table: keyof Schema;
  readonly states: readonly string[];
  /** Other rows that wait. */
  readonly also?: RawBuilder<unknown>;
  /** The column that says when a row began to wait. */
  readonly since: string;
  /** The column of the index, if it is not `since`. */
  readonly order?: string;
}

export interface QueueState {
  readonly name: QueueName;
  /** Ends at `QUEUE_COUNT_MAX`. */
  readonly count: number;
  /** Since when the oldest waits, in epoch ms; null for an empty queue. */
  readonly oldest_at: number | null;
}

/** The queues of the features, each counted up to `QUEUE_COUNT_MAX`, so that the time does not grow with the tables. */
export async function readQueues(
  db: Handle,
  features: readonly Pick<Feature, 'queues'>[],
): Promise<QueueState[]> {
  const queues = features.flatMap(({ queues: own = [] }) => own);
  const found: QueueState[] = [];
  for (const queue of queues) found.push({ name: queue.name, ...(await readQueue(db, queue)) });
  return found.toSorted((one, other) => QUEUES.indexOf(one.name) - QUEUES.indexOf(other.name));
}

async function readQueue(
  db: Handle,
  { table, states, also, since, order = since }: WaitingQueue,
): Promise<Omit<QueueState, 'name'>> {
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
