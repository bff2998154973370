import { hostname } from 'node:os';
import { fileURLToPath } from 'node:url';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../contract/values/time-units.ts';
import { withLease } from '../../platform/concurrency/leases.ts';
import type { Platform } from '../../platform/http/context.ts';
import { queueMail } from '../mail/service.ts';
import { sendLatest } from './bucket/schedule.ts';
import type { CopyTarget } from './bucket/copies.ts';
import { askChild } from './child.ts';
import type { Site } from './create.ts';
import { keepErasures } from './erasures.ts';
import { toFailureMail, toFaultsMail } from './mails.ts';
import { reportPlace } from './places.ts';
import { describeFuture, findLatest, toBackupTime } from './pool.ts';
import { readBackupStatus, recordBackup, recordFailure, recordVerification } from './status.ts';
import type { Schedule } from './status.ts';

const PROCESS = fileURLToPath(new URL('process.ts', import.meta.url));
/** The next look comes an hour later: one is made now if it would be this much too late then. */
const SLACK_MS = 10 * MINUTE_MS;
/** How often a new backup is read to its end as a restore would read it. */
const VERIFY_EVERY_MS = 7 * DAY_MS;
const FAULTS_SHOWN = 20;

export interface BackupsOptions {
  readonly site: Omit<Site, 'files'>;
  /** Null: the server makes no backups by itself. */
  readonly schedule: Schedule | null;
  /** Where copies of them are sent. */
  readonly copies?: CopyTarget | null;
  readonly operatorEmail: string;
  /** The priority of the process that makes a backup, from 0 (that of the server) to 19. */
  readonly niceness?: number;
}

export interface BackupRequest {
  readonly site: BackupsOptions['site'];
  readonly folder: string;
  readonly keep: number;
  /** Whether the new backup is verified. */
  readonly verifies: boolean;
}

export type BackupReply =
  | {
      readonly state: 'made';
      readonly path: string;
      readonly bytes: number;
      readonly takenAtMs: number;
      readonly missing: number;
      readonly unknown: readonly string[];
      /** What the verification found; null where there was none. */
      readonly faults: readonly string[] | null;
      /** Backups of the folder that are dated later than now. */
      readonly future: readonly string[];
    }
  /** Another process is making one. */
  | { readonly state: 'busy'; readonly message: string }
  | { readonly state: 'failed'; readonly message: string };

type ScheduleDeps = Pick<
  Platform,
  'database' | 'clock' | 'logger' | 'siteName' | 'siteUrl' | 'backgroundJobs'
>;

/**
 * Starts a backup in the background if the latest one is old enough, and no other process of this machine is making it. Then
 * the latest one is sent to the bucket, if it is not there.
 */
export async function startDueBackup(deps: ScheduleDeps, options: BackupsOptions): Promise<void> {
  const { schedule, copies: target, operatorEmail, niceness } = options;
  if (schedule === null || !(target || (await isDue(deps, schedule)))) return;
  const { database, logger } = deps;
  deps.backgroundJobs.start((ending) =>
    withLease(database, logger, `backup ${hostname()} ${schedule.folder}`, async () => {
      // Another process may have made it meanwhile.
      if (!(await isDue(deps, schedule))) return;
      await makeBackup(deps, options, schedule, ending);
      if (!ending.aborted) await reportPlace(deps, { dataDir: options.site.dataDir, backups: schedule });
    })
      .then(async () => {
        const { folder } = schedule;
        if (target) await sendLatest(deps, { folder, target, operatorEmail, niceness }, ending);
      })
      .catch((error: unknown) =>
        logger.error({ err: error }, 'the result of a backup could not be recorded'),
      ),
  );
}

async function isDue(
  { clock }: Pick<ScheduleDeps, 'clock'>,
  { folder, everyHours }: Schedule,
): Promise<boolean> {
  const latest = await findLatest(folder, clock.now());
  return latest === undefined || clock.now() >= toBackupTime(latest) + (everyHours - 1) * HOUR_MS + SLACK_MS;
}

async function makeBackup(
  deps: ScheduleDeps,
  { site, operatorEmail, niceness }: BackupsOptions,
  schedule: Schedule,
  ending: AbortSignal,
): Promise<void> {
  const { logger, clock } = deps;
  const { folder, keep } = schedule;
  const { lastVerified } = await readBackupStatus(site.dataDir, schedule, clock.now());
  const verifies = clock.now() - (lastVerified?.atMs ?? 0) > VERIFY_EVERY_MS - SLACK_MS;
  const request: BackupRequest = { site, folder, keep, verifies };
  const reply = await askChild<BackupReply>(PROCESS, request, { ending, niceness });
  if (ending.aborted || reply.state === 'busy') return;
  if (reply.state === 'made') {
    const { path, bytes, takenAtMs, missing, unknown, faults, future } = reply;
    await recordBackup(site.dataDir, schedule, { atMs: takenAtMs, path, bytes }, clock.now());
    logger.info({ path, bytes }, 'backup made');
    await keepErasures(deps, schedule).catch((error: unknown) =>
      logger.error({ err: error, folder }, 'the list of erasures could not be written'),
    );
    if (missing > 0) logger.error({ path, missing }, 'files are missing that the database refers to');
    if (future.length > 0) logger.warn({ folder, future }, describeFuture(future));
    if (unknown.length > 0) logger.warn({ unknown }, 'not in the backup: unknown entries of the data folder');
    if (faults?.length === 0) {
      await recordVerification(site.dataDir, schedule, { atMs: clock.now(), path, takenAtMs });
    } else if (faults !== null) {
      logger.error({ path, faults: faults.slice(0, FAULTS_SHOWN) }, 'a backup cannot be restored as it is');
      const mail = toFaultsMail(deps, operatorEmail, { path, faults: faults.slice(0, FAULTS_SHOWN) });
      await queueMail(deps.database.db, mail, clock.now());
    }
    return;
  }
  const { message } = reply;
  logger.error({ folder, reason: message }, 'a scheduled backup failed');
  if (!(await recordFailure(site.dataDir, schedule, message, clock.now()))) return;
  const { lastBackup } = await readBackupStatus(site.dataDir, schedule, clock.now());
  const mail = toFailureMail(deps, operatorEmail, { message, lastMs: lastBackup?.atMs ?? null });
  await queueMail(deps.database.db, mail, clock.now());
}
