import { existsSync } from 'node:fs';
import { setTimeout as wait } from 'node:timers/promises';
import { examineIntegrity } from '../features/doctor/checks/database-integrity.ts';
import { verifyLedger } from '../features/ledger/verify.ts';
import { MIGRATIONS } from '../schema/migrations.ts';
import { findOtherSessions, isSqliteInUse } from '../platform/database/drivers/in-use.ts';
import { listPending } from '../platform/database/open.ts';
import { openDatabase } from '../schema/open.ts';
import type { Database, DatabaseLocation } from '../platform/database/open.ts';
import type { Migration } from '../platform/database/migrations/migration.ts';
import type { Settings } from '../settings.ts';
import { backUp } from './backing-up.ts';
import { Refusal, toErrorLine } from './refusals.ts';

export interface UpgradeOptions {
  /** A file or folder for the backup; '': `BACKUP_DIR`. */
  readonly backupTo: string;
  print(line: string): void;
  /** For tests: those of this program by default. */
  readonly migrations?: readonly Migration[];
}

const SESSION_ATTEMPTS = 8;
const SESSION_PAUSE_MS = 250;

/**
 * Makes a backup and migrates the data of the settings to this version, or leaves it as it was. No server may be
 * running. Returns whether anything was migrated. Throws `Refusal` when nothing was changed.
 */
export async function upgradeData(
  settings: Settings,
  { backupTo, print, migrations = MIGRATIONS }: UpgradeOptions,
): Promise<boolean> {
  const { database: location } = settings;
  if (location.kind === 'sqlite' && !existsSync(location.file))
    throw new Refusal(`there is no database at ${location.file}; DATA_DIR must be that of the server`);
  await requireUnused(location);
  const { isEmpty, names: pending } = await listPending(location, migrations);
  if (pending.length === 0) return false;
  if (isEmpty) print('The database is empty: there is nothing to back up.');
  else {
    await backUpBeforeUpgrade(settings, backupTo, print);
    // A server may have been started meanwhile.
    await requireUnused(location);
  }
  for (const name of pending) print(`Migrating: ${name}`);
  await migrate(location, migrations).catch((error: unknown) => {
    throw new Refusal(`the upgrade failed, and the database is as it was before: ${toErrorLine(error, '')}`);
  });
  return true;
}

async function backUpBeforeUpgrade(
  settings: Settings,
  backupTo: string,
  print: (line: string) => void,
): Promise<void> {
  const target = backupTo || (settings.backups && `${settings.backups.folder}/`);
  if (!target) {
    throw new Refusal(
      'nothing was changed: the upgrade makes a backup first, so set BACKUP_DIR, or name a file or folder with --to',
    );
  }
  print('Making a backup …');
  await backUp(settings, target, { withKeys: false, print }).catch((error: unknown) => {
    throw new Refusal(`nothing was changed: no backup could be made: ${toErrorLine(error, target)}`);
  });
}

/** The migrations and the checks are one transaction: they are undone together, also by a kill. */
async function migrate(location: DatabaseLocation, migrations: readonly Migration[]): Promise<void> {
  const database = await openDatabase(location, {
    migrations,
    verify: (db) => requireHealth({ db, dialect: location.kind }),
  });
  await database.close();
}

async function requireHealth(database: Pick<Database, 'db' | 'dialect'>): Promise<void> {
  const [problem] = await verifyLedger(database.db);
  if (problem !== undefined) throw new Error(`the ledger is inconsistent (${problem})`);
  const findings = await examineIntegrity(database);
  if (findings.length > 0) throw new Error(findings.map(({ found }) => found).join(' '));
}

async function requireUnused(location: DatabaseLocation): Promise<void> {
  if (location.kind === 'postgres') return requireNoSessions(location.url);
  if (!isSqliteInUse(location.file)) return;
  throw new Refusal(
    `another process has ${location.file} open: stop the server (for example: systemctl stop) and other commands, then try again`,
  );
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
