import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../../platform/concurrency/clock.ts';
import { openDatabase } from '../../schema/open.ts';
import { createDiskSpace } from '../../platform/storage/disk-space.ts';
import { openStorage } from '../../platform/storage/open.ts';
import type { MeasureFree } from '../../platform/storage/disk-space.ts';
import { findLatestBackup } from '../backups/trial.ts';
import { restoreBackup } from '../backups/restore.ts';
import { withScratch } from '../backups/claim.ts';
import type { BackupState } from '../backups/status.ts';
import { listDataChecks } from '../doctor/checks.ts';
import { runChecks } from '../doctor/run.ts';
import type { DoctorSettings } from '../doctor/check.ts';
import { listFileOwners } from '../feature.ts';
import type { Feature } from '../feature.ts';
import { readAsVisitor } from './reads.ts';

/** In the folder of the backups. A name of unfinished backups: whoever makes the next one removes what is left. */
const SCRATCH = 'drill.partial';
const FAULTS_LISTED = 5;

export type Drill = NonNullable<BackupState['lastDrill']>;

/** There is nothing to try; the message says why. */
export class NothingToTry extends Error {
  override readonly name = 'NothingToTry';
}

/**
 * Restores the newest backup of a folder beside it, into a database of SQLite whatever the backup is of; examines it with
 * the doctor, reads what visitors read, and deletes it. It knows no database, storage or mail server but the files that
 * it has restored, so it cannot change the site. Throws `NothingToTry` without a backup or when that is deleted meanwhile,
 * and `PlaceInUse` during another drill; everything else is the fault of the result.
 */
export async function drillLatest(
  folder: string,
  features: readonly Feature<unknown>[],
  measureFree?: MeasureFree,
): Promise<Drill> {
  const atMs = Date.now();
  const latest = await findLatestBackup(folder, atMs);
  if (latest === undefined) throw new NothingToTry(`${folder} has no backup`);
  const { path } = latest;
  const startedMs = performance.now();
  return withScratch(join(folder, SCRATCH), async () => {
    const faults: string[] = [];
    try {
      await createDiskSpace(measureFree).requireFree(folder, await latest.measure());
      faults.push(...(await rehearse(path, join(folder, SCRATCH, 'data'), features)));
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
    }
    if (faults.length > 0 && !(await latest.isThere()))
      throw new NothingToTry(`${path} was deleted meanwhile`);
    return { atMs, path, tookMs: Math.round(performance.now() - startedMs), fault: describe(faults) };
  });
}

async function rehearse(
  path: string,
  dataDir: string,
  features: readonly Feature<unknown>[],
): Promise<readonly string[]> {
  await mkdir(dataDir, { mode: 0o700 });
  const settings = toSettings(dataDir);
  const files = listFileOwners(features);
  const { manifest, summary } = await restoreBackup({ ...settings, files }, path);
  // Applies the migrations that the backup lacks, as a start does.
  const database = await openDatabase(settings.database);
  try {
    const storage = await openStorage(settings.storage);
    const site = {
      settings,
      files,
      clock: systemClock,
      nodeVersion: process.versions.node,
      openDatabase: () => Promise.resolve(database),
      openStorage: () => Promise.resolve(storage),
    };
    // The backup says which files were deleted while it was made; a restore without others has passed.
    const isChecked = (name: string) => name !== 'missing files' || summary.deletedMeanwhile.length === 0;
    const { results } = await runChecks(
      listDataChecks(features).filter(({ name }) => isChecked(name)),
      site,
    );
    const found = results.flatMap(({ name, findings }) => findings.map((each) => `${name}: ${each.found}`));
    return [...found, ...(await readAsVisitor(database, storage, manifest.dialect === 'sqlite'))];
  } finally {
    await database.close();
  }
}

/** The settings of a site that consists of these files only. */
function toSettings(dataDir: string) {
  return {
    dataDir,
    database: { kind: 'sqlite', file: join(dataDir, 'site.sqlite') },
    storage: { kind: 'folder', path: join(dataDir, 'files') },
    host: '127.0.0.1',
    siteUrl: null,
    trustedProxyHops: 0,
    hasRateLimits: true,
    secretKey: null,
    previousSecretKey: null,
    personalInfoPublicKey: null,
    personalInfoKeyFile: `${dataDir}-keys/personal-info`,
    mail: { kind: 'folder' },
    mailFrom: { address: '' },
    backups: null,
    backupCopies: null,
    mediaRedirect: null,
  } satisfies DoctorSettings;
}

function describe(faults: readonly string[]): string | null {
  if (faults.length === 0) return null;
  const listed = faults.slice(0, FAULTS_LISTED).join('; ');
  return faults.length > FAULTS_LISTED ? `${listed}; and ${faults.length - FAULTS_LISTED} more` : listed;
}
