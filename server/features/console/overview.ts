import type { Kysely } from 'kysely';
import { toDay, toDayStart } from '../../../contract/months.ts';
import type { Overview, QueueName } from '../../../contract/operator.ts';
import { measureDatabase } from '../../platform/database/database.ts';
import type { Schema } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/http/http.ts';
import { measureFreeBytes } from '../../platform/storage/storage.ts';

/** The counts are read once for all staff members who ask within this time. */
const KEPT_MS = 5_000;

type OverviewDeps = Pick<Platform, 'database' | 'clock'> & { readonly dataDir: string };

/** Returns a function that reads what is waiting, today's figures and the room that is left, at most every 5 s. */
export function createOverviewReader(deps: OverviewDeps): () => Promise<Overview> {
  let kept: { readonly atMs: number; readonly overview: Promise<Overview> } | undefined;
  return () => {
    const atMs = performance.now();
    if (kept === undefined || atMs - kept.atMs > KEPT_MS) {
      const overview = readOverview(deps);
      kept = { atMs, overview };
      overview.catch(() => (kept = undefined));
    }
    return kept.overview;
  };
}

async function readOverview({ database, clock, dataDir }: OverviewDeps): Promise<Overview> {
  const { db } = database;
  return {
    queues: await readQueues(db),
    today: await readToday(db, clock.now()),
    storage: {
      database: await measureDatabase(database),
      // Infinite on file systems that report no sizes.
      free: Math.min(await measureFreeBytes(dataDir), Number.MAX_SAFE_INTEGER),
    },
  };
}

async function readQueues(db: Kysely<Schema>): Promise<Overview['queues']> {
  const queues = {
    'quality-checks': db
      .selectFrom('quality_checks')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('submitted_at').as('oldest_at')])
      .where('state', '=', 'pending'),
    'personal-info': db
      .selectFrom('personal_info_submissions')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('submitted_at').as('oldest_at')])
      .where('state', '=', 'pending'),
    transfers: db
      .selectFrom('transfer_requests')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('oldest_at')])
      .where('state', '=', 'requested'),
    credits: db
      .selectFrom('download_credits')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('oldest_at')])
      .where('state', '=', 'held'),
    'failed-mails': db
      .selectFrom('mail_outbox')
      .select(({ fn }) => [fn.countAll<number>().as('count'), fn.min('created_at').as('oldest_at')])
      .where('state', '=', 'given-up'),
  } as const satisfies Record<QueueName, unknown>;
  const found: Overview['queues'] = [];
  for (const [name, query] of Object.entries(queues)) {
    const { count, oldest_at } = await query.executeTakeFirstOrThrow();
    // The smallest of no rows is null, which the query's type does not say.
    const oldest = oldest_at as number | null;
    found.push({
      name: name as QueueName,
      count: Number(count),
      oldest_at: oldest === null ? null : Number(oldest),
    });
  }
  return found;
}

/** Each completed download has a row with the result of the rules. */
async function readToday(db: Kysely<Schema>, nowMs: number): Promise<Overview['today']> {
  const rows = await db
    .selectFrom('download_credits')
    .select(({ fn }) => ['state', fn.countAll<number>().as('count'), fn.sum<number>('yen').as('yen')])
    .where('state', 'in', ['credited', 'held', 'rejected', 'refused', 'reversed'])
    .where('created_at', '>=', toDayStart(toDay(nowMs)))
    .groupBy('state')
    .execute();
  const of = (state: (typeof rows)[number]['state']) => rows.find((row) => row.state === state);
  const count = (state: (typeof rows)[number]['state']) => Number(of(state)?.count ?? 0);
  return {
    downloads: rows.reduce((sum, row) => sum + Number(row.count), 0),
    credits: count('credited'),
    credited_yen: Number(of('credited')?.yen ?? 0),
    held: count('held'),
    refused: count('refused') + count('rejected'),
  };
}
