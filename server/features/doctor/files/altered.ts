import { createHash } from 'node:crypto';
import { MissingObjectError } from '../../../platform/storage/storage.ts';
import type { Storage } from '../../../platform/storage/storage.ts';
import { Tally, countOf } from '../check.ts';
import type { Check } from '../check.ts';
import { inWindows } from '../windows.ts';
import { SOURCES } from './expected.ts';

export const alteredFiles: Check = {
  name: 'altered files',
  priority: 'critical',
  isCheap: false,
  async run(examined) {
    const { db } = await examined.openDatabase();
    const storage = await examined.openStorage();
    const altered = new Tally();
    for (const source of SOURCES) {
      const windows = inWindows(
        source.first,
        (after) => source.select(db, { after }),
        ({ id }) => id,
      );
      for await (const owners of windows) {
        for (const { name, files } of owners) {
          for (const { key, sizeBytes, sha256 } of files) {
            if (sha256 === undefined || (await storage.find(key))?.size !== sizeBytes) continue;
            const found = await hash(storage, key);
            if (found !== undefined && found !== sha256) altered.add(`${name}: ${key}`);
          }
        }
      }
    }
    return altered.diagnose({
      kind: 'altered',
      found: (count) => `${countOf(count, 'file')} has other content than when it was stored.`,
      meaning: 'The disk or a program has changed it; it may sound wrong or not play at all.',
      remedy: 'Check the disk. Restore the files from a backup.',
    });
  },
};

/** Undefined if the file is missing. */
async function hash(storage: Storage, key: string): Promise<string | undefined> {
  try {
    const sum = createHash('sha256');
    for await (const chunk of (await storage.open(key)) as AsyncIterable<Uint8Array>) sum.update(chunk);
    return sum.digest('hex');
  } catch (error) {
    if (error instanceof MissingObjectError) return undefined;
    throw error;
  }
}
