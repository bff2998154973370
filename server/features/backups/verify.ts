import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { checkCopy } from '../../platform/database/snapshots/check.ts';
import { openDatabase } from '../../schema/open.ts';
import { verifyLedger } from '../ledger/verify.ts';
import type { FileOwner } from '../stored-files/owners.ts';
import { findCut } from './completeness.ts';
import { DATABASE_FOLDER, DATA_FOLDER, isSafeName } from './manifest.ts';
import type { Manifest } from './manifest.ts';
import { DamagedBackup, checkEntries, findBackup, readManifest, requireMigrations } from './read.ts';
import { listReferencedFiles } from './references.ts';

export interface Verification {
  readonly path: string;
  readonly manifest: Manifest;
  readonly files: number;
  readonly bytes: number;
  /** What is wrong, one line each for the operator; empty for a good backup. */
  readonly faults: readonly string[];
  /** Files whose rows were deleted while the backup was being made. */
  readonly deletedMeanwhile: number;
}

/**
 * Reads a backup to its end as a restore would: hashes, counts of rows, the integrity of the database, the ledger, and
 * whether every file is there that the database refers to. Needs space for a copy of the database in the folder for
 * temporary files (`TMPDIR`). Throws `BackupRefused` for anything that is not a backup of a version it knows.
 */
export async function verifyBackup(
  target: string,
  owners: readonly FileOwner[],
  onProgress?: (progress: { readonly files: number; readonly bytes: number }) => void,
): Promise<Verification> {
  const { path, reader } = await findBackup(target);
  const manifest = await readManifest(reader);
  const migrations = requireMigrations(manifest);
  const scratch = await mkdtemp(join(tmpdir(), 'otoichi-verify-'));
  let read = { files: 0, bytes: 0 };
  const toResult = (faults: readonly string[], deletedMeanwhile = 0) => ({
    path,
    manifest,
    ...read,
    faults,
    deletedMeanwhile,
  });
  try {
    const { summary, sums } = await checkEntries(
      reader,
      (progress) => onProgress?.((read = progress)),
      (name) => (name.startsWith(DATABASE_FOLDER) && isSafeName(name) ? join(scratch, name) : undefined),
    );
    const copy = await checkCopy(join(scratch, DATABASE_FOLDER), { ...manifest, migrations });
    const known = new Set([...summary.missing, ...summary.deletedMeanwhile]);
    const hasFile = (name: string) => known.has(name) || sums.has(`${DATA_FOLDER}${name}`);
    const cut = await findCut(path);
    const faults = [
      ...(cut === undefined ? [] : [cut]),
      ...summary.missing.map((name) => `${name} was missing when the backup was made`),
      ...copy.faults,
      ...(copy.faults.length === 0 ? await checkRows(copy.file, owners, hasFile) : []),
    ];
    return toResult(faults, summary.deletedMeanwhile.length);
  } catch (error) {
    if (error instanceof DamagedBackup) return toResult(error.faults);
    throw error;
  } finally {
    await rm(scratch, { recursive: true, force: true });
  }
}

/** The ledger and the files, after the migrations that the copy lacks. */
async function checkRows(
  file: string,
  owners: readonly FileOwner[],
  hasFile: (name: string) => boolean,
): Promise<string[]> {
  const database = await openDatabase({ kind: 'sqlite', file });
  try {
    const faults = (await verifyLedger(database.db)).map((problem) => `ledger: ${problem}`);
    const missing = new Set<string>();
    for await (const name of listReferencedFiles(database.db, owners)) if (!hasFile(name)) missing.add(name);
    return [...faults, ...[...missing].map((name) => `the database refers to ${name}, which is not there`)];
  } finally {
    await database.close();
  }
}
