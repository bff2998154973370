import { join } from 'node:path';
import {
  createBackup,
  listBackups,
  readBackupStatus,
  recordBackup,
  recordVerification,
  restoreBackup,
  verifyBackup,
} from '../../features/backups/backups.ts';
import type { Site } from '../../features/backups/backups.ts';
import { describeBucket } from '../../platform/storage/storage.ts';
import { readVersion } from '../../platform/version.ts';
import type { Settings } from '../../settings.ts';
import { toTime } from '../columns.ts';
import type { BareCommand, Command } from '../command.ts';
import { createProgressLine, toSize } from '../progress.ts';

export const backup: Readonly<Record<string, Command | BareCommand>> = {
  list: {
    about: 'list the backups in BACKUP_DIR, with the last backup and restore test',
    takesJson: true,
    async runBare({ readSettings, isJson, print }) {
      const { dataDir, backups } = readSettings();
      const status = await readBackupStatus(dataDir, backups, Date.now());
      const names = backups === null ? [] : await listBackups(backups.folder);
      if (isJson) return print(JSON.stringify({ ...status, backups: names }, null, 2));
      if (backups === null) print('The server makes no backups: BACKUP_DIR is not set.');
      else if (names.length > 0) print(names.map((name) => join(backups.folder, name)).join('\n'));
      const { lastBackup, lastVerified, failing, isOverdue } = status;
      print(
        `Last backup: ${lastBackup === null ? 'none' : `${toTime(lastBackup.atMs)}, ${lastBackup.path}`}`,
      );
      print(
        `Last verified: ${lastVerified === null ? 'none' : `${toTime(lastVerified.atMs)}, ${lastVerified.path}`}`,
      );
      if (failing !== null) print(`Failing since ${toTime(failing.sinceMs)}: ${failing.message}`);
      if (isOverdue) print('The next backup is overdue.');
    },
  },
  create: {
    target: 'FILE',
    flags: ['with-keys'],
    reads: true,
    about: 'back up database and files while the server runs; FOLDER/ copies only files that it lacks',
    async run({ context: { settings }, target, flags, print }) {
      const withKeys = flags.has('with-keys');
      const line = createProgressLine();
      const made = await createBackup(toSite(settings), target, {
        withKeys,
        onProgress: ({ files, bytes, bytesTotal }) => line.show(files, bytes, bytesTotal),
      }).finally(() => line.end());
      const { summary, unknown, manifest, path } = made;
      const lastBackup = { atMs: manifest.takenAtMs, path, bytes: made.bytesWritten };
      await recordBackup(settings.dataDir, settings.backups, lastBackup);
      print(`${path}: ${summary.files} files and the database, ${toSize(made.bytesWritten)} written.`);
      for (const name of summary.missing) print(`Missing: the database refers to ${name}.`);
      for (const name of unknown) print(`Not in the backup, because it is unknown: ${name}`);
      if (withKeys) print('It holds the keys of the site: whoever reads it can log in as anybody.');
      else
        print(
          `Keep elsewhere: ${[...listKeyPlaces(settings, 'DATA_DIR'), describePrivateKey(settings)].join(', ')}`,
        );
      return summary.missing.length === 0 ? 0 : 1;
    },
  },
  verify: {
    target: 'FILE',
    about: 'read a backup to its end, and check hashes, rows, the ledger and files; exit code 1 for faults',
    async runBare({ target, readSettings, print }) {
      const settings = readSettings();
      const line = createProgressLine();
      const found = await verifyBackup(target, ({ files, bytes }) => line.show(files, bytes)).finally(() =>
        line.end(),
      );
      for (const fault of found.faults) print(fault);
      if (found.deletedMeanwhile > 0)
        print(`${found.deletedMeanwhile} files were deleted while it was made; their rows are in it.`);
      const taken = toTime(found.manifest.takenAtMs);
      if (found.faults.length > 0) print(`${found.path} of ${taken} has ${found.faults.length} faults.`);
      else {
        const { path, manifest } = found;
        const lastVerified = { atMs: Date.now(), path, takenAtMs: manifest.takenAtMs };
        await recordVerification(settings.dataDir, settings.backups, lastVerified);
        print(`${found.path} of ${taken} is complete: ${found.files} entries, ${toSize(found.bytes)}.`);
      }
      return found.faults.length === 0 ? 0 : 1;
    },
  },
  restore: {
    target: 'FILE',
    about: 'fill an empty DATA_DIR, and an empty database, with a backup; repeat it if it was interrupted',
    async runBare({ target, readSettings, print }) {
      const settings = readSettings();
      const line = createProgressLine();
      const { path, manifest, summary } = await restoreBackup(settings, target, ({ files, bytes }) =>
        line.show(files, bytes),
      ).finally(() => line.end());
      print(`Restored ${path} of ${toTime(manifest.takenAtMs)} into ${settings.dataDir}.`);
      for (const name of [...summary.missing, ...summary.deletedMeanwhile])
        print(`Not in the backup: the database refers to ${name}.`);
      if (!manifest.withKeys) {
        print(
          `The keys are not in the backup. Copy them before the first start: ${listKeyPlaces(settings, settings.dataDir).join(', ')}. ` +
            `${settings.secretKey === null ? 'Without secrets/ new ones are made, and signed links end' : 'With another SECRET_KEY the site does not start'}; ` +
            'without the others, waiting photographs of IDs cannot be viewed.',
        );
      }
      print(
        `Then run: npm start, npm run operator -- ledger verify. Staff need ${describePrivateKey(settings)}.`,
      );
    },
  },
};

function toSite({ siteName, dataDir, database, storage }: Settings): Site {
  return { siteName, version: readVersion(), dataDir, database, storage };
}

/** Where the keys are that a backup leaves out. */
function listKeyPlaces({ storage, secretKey, personalInfoPublicKey }: Settings, dataDir: string): string[] {
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
function describePrivateKey({ personalInfoPublicKey, personalInfoKeyFile }: Settings): string {
  return personalInfoPublicKey === null ? personalInfoKeyFile : 'the private key of PERSONAL_INFO_PUBLIC_KEY';
}
