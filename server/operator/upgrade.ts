import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { CHECKS, runChecks } from '../features/doctor/doctor.ts';
import type { CheckResult } from '../features/doctor/doctor.ts';
import { verifyLedger } from '../features/ledger/ledger.ts';
import { systemClock } from '../platform/concurrency/concurrency.ts';
import {
  dumpPostgres,
  findOtherSessions,
  isSqliteInUse,
  listPending,
  makeRestorePoint,
  openDatabase,
  putBackRestorePoint,
  readUpgrade,
  recordUpgrade,
  toRestorePoint,
} from '../platform/database/database.ts';
import type { DatabaseLocation, Migration } from '../platform/database/database.ts';
import { hasPersistentFolder, openStorage } from '../platform/storage/storage.ts';
import type { Settings } from '../settings.ts';
import { Refusal } from './refusals.ts';

export interface UpgradeOptions {
  /** PostgreSQL only. */
  readonly hasRestorePoint: boolean;
  /** Undoes what has been done so far, unless the upgrade is complete. */
  readonly signal: AbortSignal;
  print(line: string): void;
  /** For tests: those of this program by default. */
  readonly migrations?: readonly Migration[];
  /** For tests: called when a stage has begun. */
  readonly onStage?: (stage: 'restore-point' | 'migrate' | 'verify' | 'health') => Promise<void> | void;
}

const SESSION_ATTEMPTS = 8;
const SESSION_PAUSE_MS = 250;
/** An upgrade is complete when these pass. A failure of another check has another cause: it is only printed. */
const HEALTH: ReadonlySet<string> = new Set(['database', 'database integrity', 'ledger']);

/**
 * Migrates the data of the settings to this version, or leaves it as it was. No server may be running. Returns whether
 * anything was migrated. Throws `Refusal` when nothing was changed.
 */
export async function upgradeData(settings: Settings, options: UpgradeOptions): Promise<boolean> {
  const { database: location } = settings;
  if (location.kind === 'sqlite') return upgradeSqlite(settings, location.file, options);
  return upgradePostgres(settings, location.url, options);
}

async function upgradeSqlite(settings: Settings, file: string, options: UpgradeOptions): Promise<boolean> {
  const { print, migrations, onStage } = options;
  const location: DatabaseLocation = { kind: 'sqlite', file };
  if (!existsSync(file))
    throw new Refusal(`there is no database at ${file}; DATA_DIR must be that of the server`);
  requireUnused(file);
  const isInterrupted = await settleInterrupted(file, options);
  const pending = await listPending(location, migrations);
  if (pending.length === 0 && !isInterrupted) return false;
  if (!isInterrupted) {
    await onStage?.('restore-point');
    print(`Writing the restore point ${toRestorePoint(file)} …`);
    makeRestorePoint(file);
    recordUpgrade(file, 'migrating');
  }
  try {
    await migrate(location, pending, options);
    await requireHealth(settings, options);
  } catch (error) {
    rollBack(file, print);
    throw new Refusal(`the upgrade failed, and the database is as it was before: ${toMessage(error)}`);
  }
  recordUpgrade(file, undefined);
  print(`The restore point is kept until the next upgrade: ${toRestorePoint(file)}`);
  return true;
}

/**
 * Decides about an upgrade that was interrupted. Returns whether it has migrated and only has to be checked. A database
 * without the migrations is as it was, and may have been used by the version before: nothing is put back then.
 */
async function settleInterrupted(file: string, { print, migrations }: UpgradeOptions): Promise<boolean> {
  const stage = readUpgrade(file);
  if (stage === undefined) return false;
  const pending = await listPending({ kind: 'sqlite', file }, migrations).catch(() => undefined);
  if (pending?.length === 0 && stage === 'migrating') {
    print('An earlier upgrade was interrupted before its last checks; they follow now.');
    return true;
  }
  if (pending === undefined || pending.length === 0) {
    print('An earlier upgrade was interrupted; the restore point is put back.');
    putBackRestorePoint(file);
  }
  recordUpgrade(file, undefined);
  return false;
}

function rollBack(file: string, print: UpgradeOptions['print']): void {
  // A server that was started meanwhile would lose its file.
  requireUnused(file);
  recordUpgrade(file, 'rolling-back');
  putBackRestorePoint(file);
  recordUpgrade(file, undefined);
  print('The restore point is put back.');
}

async function upgradePostgres(settings: Settings, url: string, options: UpgradeOptions): Promise<boolean> {
  const { print, migrations, onStage, hasRestorePoint } = options;
  const location: DatabaseLocation = { kind: 'postgres', url };
  await requireNoSessions(url);
  const pending = await listPending(location, migrations);
  if (pending.length === 0) return false;
  const folder = hasPersistentFolder(settings) ? settings.dataDir : settings.backups?.folder;
  if (hasRestorePoint && folder === undefined) {
    throw new Refusal(
      'nothing is kept in DATA_DIR: set BACKUP_DIR for the restore point, or make a backup and use --without-restore-point',
    );
  }
  const dump = join(folder ?? '', 'database.restore-point');
  if (hasRestorePoint) {
    await onStage?.('restore-point');
    print(`Writing the restore point ${dump} …`);
    await dumpPostgres(url, dump).catch((error: unknown) => {
      throw new Refusal(
        `no restore point could be made: ${toMessage(error)}. Install the pg_dump of your server's version, or make a backup and use --without-restore-point`,
      );
    });
  }
  await migrate(location, pending, options).catch((error: unknown) => {
    throw new Refusal(`the upgrade failed, and the database is as it was before: ${toMessage(error)}`);
  });
  await requireHealth(settings, options).catch((error: unknown) => {
    const restore = hasRestorePoint
      ? `to go back, install the version before and run: pg_restore --clean --if-exists --dbname=DATABASE_URL ${dump}`
      : 'to go back, install the version before and restore your backup';
    throw new Refusal(`the database is migrated, but ${toMessage(error)}; ${restore}`);
  });
  return true;
}

/** A server that has just ended may be listed for a moment. */
async function requireNoSessions(url: string): Promise<void> {
  for (let attempt = 1; ; attempt += 1) {
    const sessions = await findOtherSessions(url);
    if (sessions.length === 0) return;
    if (attempt === SESSION_ATTEMPTS) {
      throw new Refusal(
        `the database is in use by ${sessions.join('; ')}: stop the server and other programs first`,
      );
    }
    await wait(SESSION_PAUSE_MS);
  }
}

/** All migrations and the verification are one transaction: they are undone together, also by a kill. */
async function migrate(
  location: DatabaseLocation,
  pending: readonly string[],
  { print, migrations, signal, onStage }: UpgradeOptions,
): Promise<void> {
  for (const name of pending) print(`Migrating: ${name}`);
  await onStage?.('migrate');
  const database = await openDatabase(location, {
    ...(migrations && { migrations }),
    async verify(transaction) {
      await onStage?.('verify');
      const [problem] = await verifyLedger(transaction);
      if (problem !== undefined) throw new Error(`the ledger is inconsistent (${problem})`);
      signal.throwIfAborted();
    },
  });
  await database.close();
}

/** Throws unless the checks of `HEALTH` pass. */
async function requireHealth(
  settings: Settings,
  { print, migrations, signal, onStage }: UpgradeOptions,
): Promise<void> {
  await onStage?.('health');
  print('Checking the database …');
  const database = await openDatabase(settings.database, {
    access: 'read',
    ...(migrations && { migrations }),
  });
  try {
    const site = {
      settings,
      clock: systemClock,
      nodeVersion: process.versions.node,
      openDatabase: () => Promise.resolve(database),
      openStorage: () => openStorage(settings.storage),
    };
    const checks = CHECKS.filter(({ name, isCheap }) => isCheap || HEALTH.has(name));
    // The folders may be elsewhere during an upgrade, so a failure does not end the run.
    const { results } = await runChecks(
      checks.map((check) => ({ ...check, endsRun: false })),
      site,
    );
    const failed = results.filter(({ state }) => state === 'failed');
    const unhealthy = failed.filter(({ name }) => HEALTH.has(name));
    for (const result of failed) if (!unhealthy.includes(result)) print(`Note: ${toLine(result)}`);
    if (unhealthy.length > 0) throw new Error(`it is not healthy: ${unhealthy.map(toLine).join('; ')}`);
    signal.throwIfAborted();
  } finally {
    await database.close();
  }
}

function requireUnused(file: string): void {
  if (!isSqliteInUse(file)) return;
  throw new Refusal(
    `another process has ${file} open: stop the server (for example: systemctl stop) and other commands, then try again`,
  );
}

function toLine({ name, findings }: CheckResult): string {
  return `${name}: ${findings.map(({ found }) => found).join(' ')}`;
}

function toMessage(error: unknown): string {
  return error instanceof Error ? error.message || error.name : String(error);
}
