import { existsSync } from 'node:fs';
import { FILE_OWNERS } from '../features.ts';
import { createBackup } from '../features/backups/create.ts';
import { listPlaces, reportPlace } from '../features/backups/places.ts';
import { recordBackup } from '../features/backups/status.ts';
import type { BackupPlace } from '../features/backups/places.ts';
import { systemClock } from '../platform/concurrency/clock.ts';
import { openDatabase } from '../schema/open.ts';
import type { Database } from '../platform/database/open.ts';
import { describeBucket } from '../platform/storage/s3/address.ts';
import { readVersion } from '../platform/version.ts';
import type { Settings } from '../settings.ts';
import { createProgressLine, toSize } from './progress.ts';

/** Makes a backup and prints what is in it. `isComplete`: every file is that the database refers to. */
export async function backUp(
  settings: Settings,
  target: string,
  { withKeys, print }: { readonly withKeys: boolean; print(line: string): void },
): Promise<{ readonly path: string; readonly isComplete: boolean }> {
  const { siteName, dataDir, database, storage, backups } = settings;
  const line = createProgressLine();
  const { summary, unknown, manifest, path, bytesWritten } = await createBackup(
    { siteName, version: readVersion(), dataDir, database, storage, files: FILE_OWNERS },
    target,
    {
      withKeys,
      onProgress: ({ files, bytes, bytesTotal }) => line.show(files, bytes, bytesTotal),
    },
  ).finally(() => line.end());
  const made = { atMs: manifest.takenAtMs, path, bytes: bytesWritten };
  await recordBackup(dataDir, backups, made, Date.now());
  print(`${path}: ${summary.files} files and the database, ${toSize(bytesWritten)} written.`);
  for (const name of summary.missing) print(`Missing: the database refers to ${name}.`);
  for (const name of unknown) print(`Not in the backup, because it is unknown: ${name}`);
  if (withKeys) print('It holds the keys of the site: whoever reads it can log in as anybody.');
  else
    print(
      `Keep elsewhere: ${[...listKeyFiles(settings, 'DATA_DIR'), describePrivateKey(settings)].join(', ')}`,
    );
  return { path, isComplete: summary.missing.length === 0 };
}

/**
 * Shares this machine's backups with the site's other machines; does nothing without a database that can be written.
 */
export async function shareBackups(settings: Settings): Promise<void> {
  await tryDatabase(settings, 'write', (database) => reportPlace({ database, clock: systemClock }, settings));
}

/** The folders of backups on all machines; none without a database that can be read. */
export async function listMachineBackups(settings: Settings): Promise<readonly BackupPlace[]> {
  const backups = await tryDatabase(settings, 'read', (database) =>
    listPlaces({ database, clock: systemClock }, settings),
  );
  return backups ?? [];
}

/** Backups are made, verified and listed without the database as well: it may be what is lost. */
async function tryDatabase<Result>(
  { database: location, apiOrigin }: Settings,
  access: 'read' | 'write',
  use: (database: Database) => Promise<Result>,
): Promise<Result | undefined> {
  if (apiOrigin !== null || (location.kind === 'sqlite' && !existsSync(location.file))) return undefined;
  try {
    const database = await openDatabase(location, { access });
    try {
      return await use(database);
    } finally {
      await database.close();
    }
  } catch {
    return undefined;
  }
}

/** Where the keys are that a backup leaves out. */
export function listKeyFiles(
  { storage, secretKey, personalInfoPublicKey }: Settings,
  dataDir: string,
): string[] {
  const location = storage.kind === 's3' ? describeBucket(storage.bucket) : `${dataDir}/files`;
  return [
    ...(secretKey === null ? [] : ['SECRET_KEY']),
    ...(personalInfoPublicKey === null ? [] : ['PERSONAL_INFO_PUBLIC_KEY']),
    // With both settings there is no such folder.
    ...(secretKey === null || personalInfoPublicKey === null ? [`${dataDir}/secrets/`] : []),
    `personal-info-keys/ in ${location}`,
  ];
}

/** The key that opens photographs of IDs. The server makes it only if it is not given the public one. */
export function describePrivateKey({ personalInfoPublicKey, personalInfoKeyFile }: Settings): string {
  return personalInfoPublicKey === null ? personalInfoKeyFile : 'the private key of PERSONAL_INFO_PUBLIC_KEY';
}
