import { expect, test } from 'vitest';
import { checkEntries } from '#server/features/backups/read.ts';
import { openTar } from '#server/features/backups/tar.ts';
import { BACKUP_TEXTS, makeArchive } from '#support/files/backup-archives.ts';
import { makeFolder } from '#support/files/folders.ts';

test.each([
  ['manifest.json', 'the manifest cannot be read'],
  ['summary.json', 'the summary cannot be read'],
  ['SHA256SUMS', 'SHA256SUMS has an unreadable line'],
])('a backup is damaged if %s is unreadable', async (name, fault) => {
  const isSums = name === 'SHA256SUMS';
  const texts = isSums ? BACKUP_TEXTS : { ...BACKUP_TEXTS, [name]: 'x' };
  const file = await makeArchive(await makeFolder(), texts, isSums ? 'x' : undefined);
  await expect(checkEntries(openTar(file))).rejects.toMatchObject({ name: 'DamagedBackup', faults: [fault] });
});
