import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { DAY_MS, MINUTE_MS } from '../../../contract/values/time-units.ts';
import { withLease } from '../../platform/concurrency/leases.ts';
import type { Platform } from '../../platform/http/context.ts';
import { askChild } from '../backups/child.ts';
import { findLatestBackup } from '../backups/trial.ts';
import { readBackupStatus, recordDrill } from '../backups/status.ts';
import { reportPlace } from '../backups/places.ts';
import type { Schedule } from '../backups/status.ts';
import { queueMail } from '../mail/service.ts';
import { toMail } from '../mail/layout.ts';
import type { Drill } from './rehearsal.ts';

const PROCESS = fileURLToPath(new URL('process.ts', import.meta.url));
/** The job runs once an hour: one that begins a little later than the last must not wait for another hour. */
const SLACK_MS = 10 * MINUTE_MS;

export interface DrillOptions {
  readonly site: { readonly dataDir: string };
  /** Null: there are no backups to try. */
  readonly schedule: Schedule | null;
  /** Days between two drills; 0: none. */
  readonly everyDays: number;
  readonly operatorEmail: string;
  /** See `ChildOptions`. */
  readonly niceness?: number;
}

export interface DrillRequest {
  readonly folder: string;
}

export type DrillReply =
  | ({ readonly state: 'tried' } & Drill)
  /** There is no backup, or another process is trying it. */
  | { readonly state: 'postponed'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string };

type DrillDeps = Pick<Platform, 'database' | 'clock' | 'logger' | 'siteName' | 'siteUrl' | 'backgroundJobs'>;

/**
 * Starts a drill in the background if the last is old enough, a day after one that failed, and no other process of this
 * machine is at it.
 */
export async function startDueDrill(deps: DrillDeps, options: DrillOptions): Promise<void> {
  const { schedule } = options;
  if (schedule === null || !(await isDue(deps, options, schedule))) return;
  const { database, logger } = deps;
  deps.backgroundJobs.start((ending) =>
    withLease(database, logger, `drill ${hostname()} ${schedule.folder}`, async () => {
      if (await isDue(deps, options, schedule)) await drill(deps, options, schedule, ending);
    }).then(
      () => undefined,
      (error: unknown) => logger.error({ err: error }, 'the result of a drill could not be recorded'),
    ),
  );
}

async function isDue(
  { clock }: Pick<DrillDeps, 'clock'>,
  { site, everyDays }: DrillOptions,
  schedule: Schedule,
): Promise<boolean> {
  const nowMs = clock.now();
  if (everyDays === 0 || (await findLatestBackup(schedule.folder, nowMs)) === undefined) return false;
  const { lastDrill } = await readBackupStatus(site.dataDir, schedule, nowMs);
  const days = lastDrill === null || lastDrill.fault === null ? everyDays : 1;
  return nowMs >= (lastDrill?.atMs ?? 0) + days * DAY_MS - SLACK_MS;
}

async function drill(
  deps: DrillDeps,
  { site: { dataDir }, operatorEmail, niceness }: DrillOptions,
  schedule: Schedule,
  ending: AbortSignal,
): Promise<void> {
  const { database, clock, logger } = deps;
  const { folder } = schedule;
  const request: DrillRequest = { folder };
  const reply = await askChild<DrillReply>(PROCESS, request, { ending, niceness });
  if (ending.aborted || reply.state === 'postponed') return;
  const result: Drill =
    reply.state === 'tried'
      ? { atMs: clock.now(), path: reply.path, tookMs: reply.tookMs, fault: reply.fault }
      : { atMs: clock.now(), path: folder, tookMs: 0, fault: reply.message };
  const { lastDrill } = await readBackupStatus(dataDir, schedule, clock.now());
  await recordDrill(dataDir, schedule, result);
  await reportPlace(deps, { dataDir, backups: schedule });
  const { path, tookMs, fault } = result;
  if (fault === null) {
    logger.info({ path, seconds: Math.ceil(tookMs / 1000) }, 'a backup was restored on trial');
    return;
  }
  logger.error({ path, reason: fault }, 'a backup could not be restored on trial');
  // Once for a series of failures.
  if (lastDrill !== null && lastDrill.fault !== null) return;
  const mail = toMail(deps, operatorEmail, '復元の訓練に失敗しました', [
    '最新のバックアップを一時的な場所に復元して確かめたところ、問題が見つかりました。1日ごとに、もう一度試みます。次に成功するまで、このお知らせは再送しません。',
    `バックアップ: ${path}`,
    `理由: ${fault}`,
  ]);
  await queueMail(database.db, mail, clock.now());
}
