import type { StoredObject } from '../../../platform/storage/port.ts';
import { listFileRows, readFilesAgain } from '../../stored-files/rows.ts';
import type { OwnedFile } from '../../stored-files/rows.ts';
import { Tally, countOf } from '../check.ts';
import type { Check } from '../check.ts';

/** Their files are looked up at once. */
const WINDOW_ROWS = 200;

export const missingFiles: Check = {
  name: 'missing files',
  priority: 'critical',
  stage: 'long',
  consoleText: null,
  async run(examined) {
    const { db } = await examined.openDatabase();
    const storage = await examined.openStorage();
    const [missing, resized] = [new Tally(), new Tally()];
    for await (const rows of listFileRows(db, examined.files, WINDOW_ROWS)) {
      const stored = await Promise.all(
        rows.map(({ files }) => Promise.all(files.map(({ key }) => storage.find(key)))),
      );
      for (const [index, row] of rows.entries()) {
        for (const [at, file] of row.files.entries()) {
          const fault = findFault(file, stored[index]?.[at]);
          if (fault === undefined) continue;
          // Rows change before their files: the file is expected only if its row still refers to it.
          const again = await readFilesAgain(db, row);
          if (!again.some(({ key }) => key === file.key)) continue;
          (fault === 'missing' ? missing : resized).add(`${row.name}: ${file.key}`);
        }
      }
    }
    return [
      ...missing.diagnose({
        kind: 'missing',
        found: (count) => `${countOf(count, 'file', 'is')} missing that rows refer to.`,
        meaning: 'These sounds cannot be played, or these pictures and documents cannot be seen.',
        remedy: 'Restore the files from a backup, or ask the members to upload them again.',
      }),
      ...resized.diagnose({
        kind: 'other-size',
        found: (count) => `${countOf(count, 'file', 'has')} another size than when stored.`,
        meaning: 'It was cut off or replaced; downloads of it break.',
        remedy: 'Check the disk. Restore the files from a backup.',
      }),
    ];
  },
};

function findFault({ sizeBytes }: OwnedFile, stored: StoredObject | undefined) {
  if (stored === undefined) return 'missing';
  return sizeBytes === undefined || stored.size === sizeBytes ? undefined : 'resized';
}
