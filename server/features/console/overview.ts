import { MINUTE_MS } from '../../../contract/values/time-units.ts';
import { toDay, toDayStart } from '../../../contract/values/months.ts';
import type { Overview } from '../../../contract/operator/operator.ts';
import { measureDatabase } from '../../platform/database/drivers/size.ts';
import type { Platform } from '../../platform/http/context.ts';
import { measureFreeBytes } from '../../platform/storage/disk-space.ts';
import { listPlaces } from '../backups/places.ts';
import type { BackupPlace } from '../backups/places.ts';
import { listChecks } from '../doctor/checks.ts';
import { runChecks } from '../doctor/run.ts';
import type { DoctorSettings } from '../doctor/check.ts';
import { cacheResult } from './result-cache.ts';
import { listFileOwners } from '../feature.ts';
import type { Feature } from '../feature.ts';
import { readQueues } from '../waiting-queues.ts';
import type { Db } from './tables.ts';

/** The counts are read once for all requests within this time. */
const COUNTS_MS_MAX = 5_000;
/** The doctor's checks run once for all requests within this time. */
const CHECKS_MS_MAX = 5 * MINUTE_MS;

type OverviewDeps = Pick<Platform, 'database' | 'storage' | 'clock'> & {
  readonly settings: DoctorSettings;
  readonly features: readonly Feature<unknown>[];
};

/** Returns a function that reads what is waiting, today's figures and what is wrong, at most every 5 s. */
export function createOverviewReader(deps: OverviewDeps): () => Promise<Overview> {
  const findProblems = cacheResult(CHECKS_MS_MAX, () => readProblems(deps));
  return cacheResult(COUNTS_MS_MAX, async () => ({
    ...(await readOverview(deps)),
    problems: await findProblems(),
  }));
}

async function readOverview({
  database,
  clock,
  settings,
  features,
}: OverviewDeps): Promise<Omit<Overview, 'problems'>> {
  const { db } = database;
  const { dataDir } = settings;
  const nowMs = clock.now();
  return {
    queues: await readQueues(db, features),
    today: await readToday(db, nowMs),
    storage: {
      database: await measureDatabase(database),
      // Infinite on file systems that report no sizes.
      free: Math.min(await measureFreeBytes(dataDir), Number.MAX_SAFE_INTEGER),
    },
    backups: (await listPlaces({ database, clock }, settings)).map(toBackups),
  };
}

function toBackups(machine: BackupPlace): Overview['backups'][number] {
  const { host, folder, condition, lastBackup, lastVerified, lastDrill, erasures } = machine;
  return {
    host,
    folder,
    condition,
    last_at: lastBackup?.atMs ?? null,
    verified_at: lastVerified?.atMs ?? null,
    drill: lastDrill && {
      at: lastDrill.atMs,
      seconds: Math.ceil(lastDrill.tookMs / 1000),
      is_good: lastDrill.fault === null,
    },
    has_erasures: erasures.fault === null,
  };
}

/** The checks that take less than a second. */
async function readProblems({
  database,
  storage,
  clock,
  settings,
  features,
}: OverviewDeps): Promise<Overview['problems']> {
  const site = {
    settings,
    files: listFileOwners(features),
    clock,
    nodeVersion: process.versions.node,
    openDatabase: () => Promise.resolve(database),
    openStorage: () => Promise.resolve(storage),
  };
  const checks = listChecks(features);
  const texts = new Map(checks.map(({ name, consoleText }) => [name, consoleText]));
  const { results } = await runChecks(checks, site, { forConsole: true });
  return results
    .filter(({ state }) => state === 'failed')
    .map(({ name, priority, findings }) => ({
      name,
      text: texts.get(name) ?? name,
      priority,
      count: findings.reduce((sum, { count }) => sum + count, 0),
    }));
}

/** Each completed download has a row with the result of the rules. */
async function readToday(db: Db, nowMs: number): Promise<Overview['today']> {
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
