import { createBackup, recordBackup } from '../features/backups/backups.ts';
import { describeBucket } from '../platform/storage/storage.ts';
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
    { siteName, version: readVersion(), dataDir, database, storage },
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
      `Keep elsewhere: ${[...listKeyPlaces(settings, 'DATA_DIR'), describePrivateKey(settings)].join(', ')}`,
    );
  return { path, isComplete: summary.missing.length === 0 };
}

/** Where the keys are that a backup leaves out. */
export function listKeyPlaces(
  { storage, secretKey, personalInfoPublicKey }: Settings,
  dataDir: string,
): string[] {
  const place = storage.kind === 's3' ? describeBucket(storage.bucket) : `${dataDir}/files`;
  return [
    ...(secretKey === null ? [] : ['SECRET_KEY']),
    ...(personalInfoPublicKey === null ? [] : ['PERSONAL_INFO_PUBLIC_KEY']),
    // With both settings there is no such folder.
    ...(secretKey === null || personalInfoPublicKey === null ? [`${dataDir}/secrets/`] : []),
    `personal-info-keys/ in ${place}`,
  ];
}

/** The key that opens photographs of IDs. The server makes it only if it is not given the public one. */
export function describePrivateKey({ personalInfoPublicKey, personalInfoKeyFile }: Settings): string {
  return personalInfoPublicKey === null ? personalInfoKeyFile : 'the private key of PERSONAL_INFO_PUBLIC_KEY';
}
