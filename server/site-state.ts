import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { QUEUES, QUEUE_COUNT_MAX } from '../contract/operator/operator.ts';
import type { QueueName } from '../contract/operator/operator.ts';
import { readQueues } from './features/waiting-queues.ts';
import { FEATURES } from './features.ts';
import type { MetricSource } from './platform/metrics.ts';
import type { Database } from './platform/database/open.ts';

/** What waits in the database, and the totals of the ledger. Counts end at `QUEUE_COUNT_MAX`. */
export interface SiteState {
  readonly waiting: Readonly<Partial<Record<QueueName, number>>>;
  readonly mails: Readonly<Record<'waiting' | 'failed', number>>;
  readonly undecodedSounds: Readonly<Record<'waiting' | 'leased' | 'failed', number>>;
  /** Yen by kind of account. */
  readonly ledgerYen: Readonly<Record<'artists' | 'transfers-held' | 'paid-out' | 'rewards', number>>;
}

/** The state as metrics. */
export function toStateMetrics(read: () => Promise<SiteState>): MetricSource {
  const label = (name: string, values: readonly string[]) => ({ name, values });
  return {
    isKept: true,
    metrics: [
      { name: 'site_waiting', help: 'Decisions that staff have to make.', label: label('queue', QUEUES) },
      {
        name: 'site_mails',
        help: 'Mails that wait, or were given up in the last 30 days.',
        label: label('state', ['waiting', 'failed']),
      },
      {
        name: 'site_undecoded_sounds',
        help: 'Sounds to decode.',
        label: label('state', ['waiting', 'leased', 'failed']),
      },
      {
        name: 'site_ledger_yen',
        help: 'Balances of the ledger.',
        label: label('account', ['artists', 'transfers-held', 'paid-out', 'rewards']),
      },
    ],
    async read() {
      const { waiting, mails, undecodedSounds, ledgerYen } = await read();
      return {
        site_waiting: waiting,
        site_mails: mails,
        site_undecoded_sounds: undecodedSounds,
        site_ledger_yen: ledgerYen,
      };
    },
  };
}

/** Every query reads one index, and at most `QUEUE_COUNT_MAX` entries of it. */
export async function readSiteState(database: Database): Promise<SiteState> {
  const count = (rows: RawBuilder<unknown>) => countRows(database, rows);
  const { rows } = await sql<{ id: string; balance: number }>`
    select id, balance from ledger_accounts where id in ('transfers-held', 'paid-out', 'rewards')`.execute(
    database.db,
  );
  const balances = new Map(rows.map(({ id, balance }) => [id, balance]));
  const queues = await readQueues(database.db, FEATURES);
  const [held, paid, rewards] = ['transfers-held', 'paid-out', 'rewards'].map((id) => balances.get(id) ?? 0);
  return {
    waiting: Object.fromEntries(
      queues.filter(({ name }) => name !== 'failed-mails').map(({ name, count: found }) => [name, found]),
    ),
    mails: {
      waiting: await count(sql`mail_outbox where state = 'waiting'`),
      failed: queues.find(({ name }) => name === 'failed-mails')?.count ?? 0,
    },
    undecodedSounds: {
      waiting: await count(sql`undecoded_sounds where state = 'waiting' and lease_id is null`),
      leased: await count(sql`undecoded_sounds where lease_id is not null`),
      failed: await count(sql`undecoded_sounds where state = 'failed'`),
    },
    ledgerYen: {
      // All accounts together are 0.
      artists: -(held ?? 0) - (paid ?? 0) - (rewards ?? 0),
      'transfers-held': held ?? 0,
      'paid-out': paid ?? 0,
      rewards: rewards ?? 0,
    },
  };
}

async function countRows({ db }: Database, rows: RawBuilder<unknown>): Promise<number> {
  const found = await sql<{ found: number }>`
    select count(*) as found from (select 1 as hit from ${rows} limit ${QUEUE_COUNT_MAX}) capped`.execute(db);
  return found.rows[0]?.found ?? 0;
}
