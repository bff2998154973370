import { stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { describeFuture, listDated } from '../../features/backups/pool.ts';
import { fetchBackup } from '../../features/backups/bucket/fetch.ts';
import { markErased } from '../../features/backups/erasure-queries.ts';
import { readBackupStatus, recordDrill, recordVerification } from '../../features/backups/status.ts';
import { readCopyState } from '../../features/backups/bucket/schedule.ts';
import { readErasures, saveErasures } from '../../features/backups/erasures.ts';
import { restoreBackup } from '../../features/backups/restore.ts';
import { verifyBackup } from '../../features/backups/verify.ts';
import type { BackupPlace } from '../../features/backups/places.ts';
import { drillLatest } from '../../features/drill/rehearsal.ts';
import { FEATURES, FILE_OWNERS } from '../../features.ts';
import type { Settings } from '../../settings.ts';
import { backUp, describePrivateKey, listKeyFiles, listMachineBackups, shareBackups } from '../backing-up.ts';
import { toTime } from '../columns.ts';
import type { Commands } from '../command.ts';
import { makeKeyPair } from '../key-pair.ts';
import { createProgressLine, toSize } from '../progress.ts';
import { Refusal, UsageError } from '../refusals.ts';
import { readOpeningKeys } from '../../platform/crypto/sealed-keys.ts';
import { requireBucket, toStorageLocation } from '../../platform/storage/open.ts';
import type { Handle } from '../../platform/database/handle.ts';

export const backup: Commands = {
  list: {
    about:
      'list the backups in BACKUP_DIR, with the last backup and restore test, and those of other machines',
    takesJson: true,
    async runBare({ readSettings, isJson, print }) {
      const settings = readSettings();
      const { dataDir, backups, backupCopies } = settings;
      const others = (await listMachineBackups(settings)).filter(({ isHere }) => !isHere);
      const copies = backups === null || backupCopies === null ? null : await readCopyState(backups.folder);
      const status = await readBackupStatus(dataDir, backups, Date.now());
      const { names, future } =
        backups === null ? { names: [], future: [] } : await listDated(backups.folder, Date.now());
      if (isJson)
        return print(JSON.stringify({ ...status, copies, backups: names, future, others }, null, 2));
      if (backups === null) print('The server makes no backups here: BACKUP_DIR is not set.');
      else if (names.length > 0) print(names.map((name) => join(backups.folder, name)).join('\n'));
      const { lastBackup, lastVerified, lastDrill, failing, isOverdue } = status;
      print(
        `Last backup: ${lastBackup === null ? 'none' : `${toTime(lastBackup.atMs)}, ${lastBackup.path}`}`,
      );
      print(
        `Last verified: ${lastVerified === null ? 'none' : `${toTime(lastVerified.atMs)}, ${lastVerified.path}`}`,
      );
      print(`Last restored on trial: ${describeDrill(lastDrill)}`);
      if (copies !== null) {
        const { last, failing: since } = copies;
        print(`Last copy in the bucket: ${last === null ? 'none' : `${toTime(last.atMs)}, of ${last.name}`}`);
        if (since !== null) print(`Copies fail since ${toTime(since.sinceMs)}: ${since.message}`);
      }
      if (failing !== null) print(`Failing since ${toTime(failing.sinceMs)}: ${failing.message}`);
      if (future.length > 0) print(`In ${backups?.folder}, ${describeFuture(future)}.`);
      if (isOverdue) print('The next backup is overdue.');
      for (const machine of others) print(describeMachine(machine));
    },
  },
  create: {
    target: 'FILE',
    flags: ['with-keys'],
    reads: true,
    about: 'back up database and files while the server runs; FOLDER/ copies only files that it lacks',
    async run({ context, target, flags, print }) {
      const options = { withKeys: flags.has('with-keys'), print };
      const { path, isComplete } = await backUp(context.settings, target, options);
      await saveErasures(context, dirname(path));
      await shareBackups(context.settings);
      return isComplete ? 0 : 1;
    },
  },
  verify: {
    target: 'FILE',
    about: 'read a backup to its end, and check hashes, rows, the ledger and files; exit code 1 for faults',
    async runBare({ target, readSettings, print }) {
      const settings = readSettings();
      await reportFuture(target, print);
      const line = createProgressLine();
      const found = await verifyBackup(target, FILE_OWNERS, ({ files, bytes }) =>
        line.show(files, bytes),
      ).finally(() => line.end());
      for (const fault of found.faults) print(fault);
      if (found.deletedMeanwhile > 0)
        print(`${found.deletedMeanwhile} files were deleted while it was made; their rows are in it.`);
      const taken = toTime(found.manifest.takenAtMs);
      if (found.faults.length > 0) print(`${found.path} of ${taken} has ${found.faults.length} faults.`);
      else {
        const { path, manifest } = found;
        const lastVerified = { atMs: Date.now(), path, takenAtMs: manifest.takenAtMs };
        await recordVerification(settings.dataDir, settings.backups, lastVerified);
        await shareBackups(settings);
        print(`${found.path} of ${taken} is complete: ${found.files} entries, ${toSize(found.bytes)}.`);
      }
      return found.faults.length === 0 ? 0 : 1;
    },
  },
  drill: {
    about: 'restore the latest backup in BACKUP_DIR on trial, beside it; exit code 1 for faults',
    async runBare({ readSettings, print }) {
      const settings = readSettings();
      const { dataDir, backups } = settings;
      if (backups === null) throw new Refusal('BACKUP_DIR is not set');
      const drill = await drillLatest(backups.folder, FEATURES);
      await recordDrill(dataDir, backups, drill);
      await shareBackups(settings);
      print(`Restored on trial: ${describeDrill(drill)}`);
      return drill.fault === null ? 0 : 1;
    },
  },
  'make-key': {
    target: 'FILE',
    about:
      'write a new private key for copies of backups to FILE, and print the setting with its public half',
    async runBare({ target, print }) {
      print(`BACKUP_PUBLIC_KEY=${makeKeyPair(target)}`);
      print(
        `\nSet this line for the server. ${target} opens the copies, and without it nothing does: keep it in two places, ` +
          'never on the server.',
      );
    },
  },
  fetch: {
    target: 'FOLDER',
    needs: { from: 's3://…', key: 'FILE' },
    takes: { name: 'BACKUP' },
    about: 'open the latest copy in a bucket in a folder that restore takes; repeat it if it was interrupted',
    async runBare({ target, options: { from = '', key = '', name }, readSettings, print }) {
      const location = toStorageLocation(from, readSettings().s3Credentials);
      if (typeof location === 'string') throw new UsageError(`--from ${location}`);
      if (location.kind !== 's3') throw new UsageError('--from must be the address of a bucket: s3://…');
      const line = createProgressLine();
      const path = await fetchBackup({ bucket: location.bucket, keys: readOpeningKeys(key) }, target, {
        ...(name !== undefined && { name }),
        onProgress: (files, bytes) => line.show(files, bytes),
      }).finally(() => line.end());
      print(`Fetched ${path}. Then run: npm run operator -- backup restore ${path}`);
    },
  },
  restore: {
    target: 'FILE',
    flags: ['without-erasures'],
    about: 'fill an empty DATA_DIR, and an empty database, with a backup; repeat it if it was interrupted',
    async runBare({ target, flags, readSettings, print }) {
      const settings = readSettings();
      await reportFuture(target, print);
      // Before anything is written there.
      if (settings.storage.kind === 's3') await requireBucket(settings.storage.bucket);
      const line = createProgressLine();
      const { path, manifest, summary, erased } = await restoreBackup(
        { ...settings, files: FILE_OWNERS },
        target,
        {
          erasureFolders: flags.has('without-erasures') ? null : listErasureFolders(settings),
          onProgress: ({ files, bytes }) => line.show(files, bytes),
        },
      ).finally(() => line.end());
      const taken = toTime(manifest.takenAtMs);
      print(`Restored ${path} of ${taken} into ${settings.dataDir}.`);
      print(
        erased === undefined
          ? `No list of erasures was used: accounts and sounds that were erased since ${taken} are there again.`
          : describeErased(erased, 'The first start erases them.'),
      );
      for (const name of [...summary.missing, ...summary.deletedMeanwhile])
        print(`Not in the backup: the database refers to ${name}.`);
      if (!manifest.withKeys) {
        print(
          `The keys are not in the backup. Copy them before the first start: ${listKeyFiles(settings, settings.dataDir).join(', ')}. ` +
            `${settings.secretKey === null ? 'Without secrets/ new ones are made, and signed links end' : 'With another SECRET_KEY the site does not start'}; ` +
            'without the others, waiting photographs of IDs cannot be viewed.',
        );
      }
      print(
        `Then run: npm start, npm run operator -- ledger verify. Staff need ${describePrivateKey(settings)}.`,
      );
    },
  },
  'repeat-erasures': {
    target: 'FOLDER',
    about: 'erase what a database has although the list of erasures in a folder of backups names it',
    async run({ context, target, print }) {
      const list = await readErasures([target]);
      if (list === undefined) throw new Refusal(`${target} has no list of erasures`);
      const erased = await context.database.db
        .transaction()
        .execute((transaction: Handle) => markErased(transaction, list));
      context.catalogueChanged();
      print(
        describeErased(erased, 'The running server erases them within an hour, otherwise its next start.'),
      );
    },
  },
};

function describeDrill(drill: BackupPlace['lastDrill']): string {
  if (drill === null) return 'never';
  const { atMs, path, tookMs, fault } = drill;
  const result = fault === null ? `${Math.ceil(tookMs / 1000)} s` : `failed: ${fault}`;
  return `${toTime(atMs)}, ${path}, ${result}`;
}

/** The backups of another machine, in one line. */
function describeMachine(machine: BackupPlace): string {
  const { host, folder, condition, lastBackup, lastVerified, lastDrill, seenAtMs } = machine;
  const last = lastBackup === null ? 'none' : `${toTime(lastBackup.atMs)}, ${lastBackup.path}`;
  return (
    `On ${host} (${folder ?? 'by command'}), ${condition}, as of ${toTime(seenAtMs)}: last backup: ${last}; ` +
    `last verified: ${lastVerified === null ? 'none' : toTime(lastVerified.atMs)}; ` +
    `last restored on trial: ${describeDrill(lastDrill)}`
  );
}

/** The latest backup of a folder is chosen without these. */
async function reportFuture(target: string, print: (text: string) => void): Promise<void> {
  if (!(await stat(target).catch(() => undefined))?.isDirectory()) return;
  const { future } = await listDated(target, Date.now());
  if (future.length > 0) print(`In ${target}, ${describeFuture(future)}.`);
}

/** The list of the latest backups, if others are restored. */
function listErasureFolders({ backups }: Settings): string[] {
  return backups === null ? [] : [backups.folder];
}

function describeErased(
  erased: { readonly accounts: number; readonly sounds: number },
  when: string,
): string {
  const { accounts, sounds } = erased;
  return `Erased before, and hidden now: ${accounts} accounts, ${sounds} sounds. ${accounts + sounds > 0 ? when : ''}`.trim();
}
