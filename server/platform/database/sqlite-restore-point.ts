import {
  closeSync,
  copyFileSync,
  existsSync,
  fsyncSync,
  openSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  statfsSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { classifyFailure } from './failure.ts';

/**
 * - `migrating`: the restore point is complete; the migrations are committed or not.
 * - `rolling-back`: the migrated database was found unhealthy.
 */
export type UpgradeStage = 'migrating' | 'rolling-back';

const MIB = 1024 ** 2;
/** Kept free beside the restore point. */
const RESERVE_BYTES = 64 * MIB;

/** The copy of a database from before its last upgrade. */
export function toRestorePoint(file: string): string {
  return `${file}.restore-point`;
}

/** The stage of an upgrade that is not complete; undefined when there is none. */
export function readUpgrade(file: string): UpgradeStage | undefined {
  const mark = toMark(file);
  return existsSync(mark) ? (readFileSync(mark, 'utf8').trim() as UpgradeStage) : undefined;
}

/** Records the stage durably, so that no server starts on the database until it is undefined. */
export function recordUpgrade(file: string, stage: UpgradeStage | undefined): void {
  const mark = toMark(file);
  if (stage === undefined) rmSync(mark, { force: true });
  else {
    writeFileSync(`${mark}.new`, `${stage}\n`, { mode: 0o600, flush: true });
    renameSync(`${mark}.new`, mark);
  }
  sync(dirname(file));
}

/**
 * Whether another process has the database open. A connection in WAL mode holds a shared lock on the file for as long
 * as it is open, so that an exclusive one is refused. Also completes or undoes what a killed process was writing.
 */
export function isSqliteInUse(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec(
      'pragma locking_mode = exclusive; select count(*) from sqlite_schema; begin immediate; rollback',
    );
    return false;
  } catch (error) {
    if (classifyFailure(error) === 'busy') return true;
    throw error;
  } finally {
    database.close();
  }
}

/**
 * Writes a complete copy beside the database and replaces an earlier one. No process may be writing. Throws with code
 * ENOSPC if there is too little room.
 */
export function makeRestorePoint(file: string): void {
  const copy = toRestorePoint(file);
  const partial = `${copy}.partial`;
  const { bavail, bsize } = statfsSync(dirname(file));
  const neededBytes = statSync(file).size + RESERVE_BYTES;
  if (bavail * bsize < neededBytes) {
    const message = `the restore point needs ${Math.ceil(neededBytes / MIB)} MiB of free disk`;
    throw Object.assign(new Error(message), { code: 'ENOSPC' });
  }
  rmSync(partial, { force: true });
  // SQLite writes into an existing file only if it is empty, and keeps its permissions.
  closeSync(openSync(partial, 'wx', 0o600));
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.prepare('vacuum into ?').run(partial);
  } finally {
    database.close();
  }
  sync(partial);
  renameSync(partial, copy);
  sync(dirname(file));
}

/**
 * Replaces the database by its restore point, which is kept. No process may have the database open. Atomic under the
 * mark of `recordUpgrade`: after an interruption, repeat it.
 */
export function putBackRestorePoint(file: string): void {
  const replacement = `${file}.replacement`;
  rmSync(replacement, { force: true });
  copyFileSync(toRestorePoint(file), replacement);
  sync(replacement);
  // SQLite would apply the log of the replaced database to the restore point.
  for (const end of ['-wal', '-shm', '-journal']) rmSync(file + end, { force: true });
  sync(dirname(file));
  renameSync(replacement, file);
  sync(dirname(file));
}

function toMark(file: string): string {
  return `${file}.upgrading`;
}

function sync(path: string): void {
  const handle = openSync(path, 'r');
  try {
    fsyncSync(handle);
  } finally {
    closeSync(handle);
  }
}
