import { access, constants, stat } from 'node:fs/promises';
import { join, relative } from 'node:path';
import { describeFuture, listDated } from '../pool.ts';
import { findCut, findMissingObjects, listToExamine } from '../completeness.ts';
import { listPlaces } from '../places.ts';
import { readBackupStatus } from '../status.ts';
import type { BackupPlace } from '../places.ts';
import type { BackupStatus } from '../status.ts';
import { Tally, countOf, diagnose } from '../../doctor/check.ts';
import type { Check, Finding } from '../../doctor/check.ts';

export const backupsCheck: Check = {
  name: 'backups',
  priority: 'warning',
  stage: 'quick',
  consoleText: 'バックアップに問題があります',
  async run({ settings, clock, openDatabase }) {
    const nowMs = clock.now();
    const places = await listPlaces({ database: await openDatabase(), clock }, settings);
    const elsewhere = places.flatMap((place) => (place.isHere ? [] : toElsewhere(place)));
    if (settings.backups === null) {
      const isNone = places.every(({ folder, condition }) => folder === null && condition === 'overdue');
      return isNone ? [NONE] : elsewhere;
    }
    const status = await readBackupStatus(settings.dataDir, settings.backups, nowMs);
    return [...(await examineFolder(status, settings.backups.folder, nowMs)), ...elsewhere];
  },
};

async function examineFolder(status: BackupStatus, folder: string, nowMs: number): Promise<Finding[]> {
  const unusable = await findUnusable(folder);
  if (unusable !== undefined) return [...toFailing(status), unusable];
  const { lastBackup } = status;
  const cut = new Tally();
  const recorded =
    lastBackup === null || relative(folder, lastBackup.path).startsWith('..') ? [] : [lastBackup.path];
  for (const path of new Set([...(await listToExamine(folder, nowMs)), ...recorded])) {
    const fault = await findCut(path);
    if (fault !== undefined) cut.add(`${path}: ${fault}`);
  }
  const future = toFuture((await listDated(folder, nowMs)).future, folder);
  return [...toFailing(status), ...toOverdue(status), ...toDrill(status), ...future, ...cut.diagnose(CUT)];
}

/** `backup verify` reads the files as well. */
export const backupFiles: Check = {
  name: 'backup files',
  priority: 'warning',
  stage: 'rows',
  consoleText: null,
  async run({ settings: { backups }, clock }) {
    if (backups === null) return [];
    const missing = new Tally();
    for await (const name of findMissingObjects(backups.folder, clock.now())) missing.add(name);
    return missing.diagnose({
      kind: 'missing',
      found: (count) => `The latest backup in BACKUP_DIR lacks ${countOf(count, 'file')}.`,
      meaning: 'It cannot be restored as it is. Later backups copy these files again.',
      remedy:
        'Check the disk. Make a backup with "npm run operator -- backup create" and verify it with "npm run operator -- backup verify".',
    });
  },
};

async function findUnusable(folder: string): Promise<Finding | undefined> {
  const found = await stat(folder).catch(() => undefined);
  if (found === undefined || !found.isDirectory()) {
    return diagnose(
      {
        kind: 'no-folder',
        found: `BACKUP_DIR is not a folder: ${folder}.`,
        meaning: 'No backups are made, and those that were made are not there.',
        remedy: 'Mount its disk, create the folder, or correct BACKUP_DIR.',
      },
      folder,
    );
  }
  const isWritable = await access(folder, constants.R_OK | constants.W_OK | constants.X_OK).then(
    () => true,
    () => false,
  );
  if (isWritable) return undefined;
  return diagnose(
    {
      kind: 'not-writable',
      found: `BACKUP_DIR cannot be read and written by this user: ${folder}.`,
      meaning: 'If the server runs as the same user, it can make no backups.',
      remedy: 'Run this as the user of the server; otherwise change the owner of the folder.',
    },
    folder,
  );
}

function toFailing({ failing }: BackupStatus): Finding[] {
  if (failing === null) return [];
  return [
    diagnose({
      kind: 'failing',
      found: `The last backup failed: ${failing.message}`,
      meaning: 'What happened since the last backup is lost if the disk is.',
      remedy: 'Make room or mount the disk at BACKUP_DIR; the server tries again within the hour.',
    }),
  ];
}

function toOverdue({ isOverdue, failing, lastBackup, schedule }: BackupStatus): Finding[] {
  if (!isOverdue || failing !== null || schedule === null) return [];
  const last = lastBackup === null ? 'never' : new Date(lastBackup.atMs).toISOString();
  return [
    diagnose(
      {
        kind: 'overdue',
        found: `BACKUP_DIR is written too rarely: the last backup is older than ${2 * schedule.everyHours} hours (${last}).`,
        meaning: 'No server process makes backups.',
        remedy: 'Start the server; if it is running, look into its log.',
      },
      schedule.folder,
    ),
  ];
}

function toDrill({ lastDrill }: BackupStatus): Finding[] {
  if (lastDrill === null || lastDrill.fault === null) return [];
  return [
    diagnose(
      {
        kind: 'drill',
        found: `The backup that was restored on trial cannot be used: ${lastDrill.fault}`,
        meaning: 'If the disk fails, its restore would fail in the same way.',
        remedy: 'Remove the cause, and repeat the trial with "npm run operator -- backup drill".',
      },
      lastDrill.path,
    ),
  ];
}

/** What another machine reports. */
function toElsewhere(place: BackupPlace): Finding[] {
  const { host, folder, condition, failing, lastBackup, seenAtMs } = place;
  const where = `${host} (${folder ?? 'by command'})`;
  const last = lastBackup === null ? 'none' : new Date(lastBackup.atMs).toISOString();
  if (folder === null) return [];
  if (condition === 'silent') {
    return [
      diagnose(
        {
          kind: 'silent',
          found: `The machine that makes the backups, ${where}, has not reported since ${new Date(seenAtMs).toISOString()}. Its last backup: ${last}.`,
          meaning: 'No backups are made, or nobody here knows of them.',
          remedy: `Start the server on ${host}, or set BACKUP_DIR on another machine.`,
        },
        where,
      ),
    ];
  }
  if (condition === 'working') return [];
  const reason = condition === 'failing' ? `failed: ${failing?.message}` : 'is older than two intervals';
  return [
    diagnose(
      {
        kind: `elsewhere-${condition}`,
        found: `On ${where}, the last backup ${reason}. The last that succeeded: ${last}.`,
        meaning: 'What happened since is lost if the disk is.',
        remedy: `Run the doctor on ${host}, which examines the folder.`,
      },
      where,
    ),
  ];
}

function toFuture(names: readonly string[], folder: string): Finding[] {
  const later = new Tally();
  for (const name of names) later.add(join(folder, name));
  return later.diagnose({
    kind: 'future',
    found: () => `In BACKUP_DIR, ${describeFuture(names)}.`,
    meaning: 'A process whose clock was ahead made them, or the clock of this machine is behind.',
    remedy: 'Compare the clock with "timedatectl". The name of a backup is its time in UTC.',
  });
}

const NONE = diagnose({
  kind: 'none',
  found: 'No machine has BACKUP_DIR, and no backup of the last 7 days is known.',
  meaning: 'If the disk fails, everything is lost.',
  remedy:
    'Set BACKUP_DIR to a folder on another disk, or run "npm run operator -- backup create" regularly (docs/backups.md).',
});
const CUT = {
  kind: 'cut-off',
  found: (count: number) => `${countOf(count, 'backup', 'is')} not complete.`,
  meaning: 'It cannot be restored as a whole: it was cut off, or parts of it were deleted.',
  remedy: 'Make another one, and delete this one. Check the disk and how the backup was copied.',
};
