import { createHash } from 'node:crypto';
import { buffer } from 'node:stream/consumers';
import { MissingObjectError } from '../../../platform/storage/port.ts';
import type { Storage } from '../../../platform/storage/port.ts';
import { listFileRows } from '../../stored-files/rows.ts';
import type { OwnedFile } from '../../stored-files/rows.ts';
import { Tally, countOf } from '../check.ts';
import type { Check } from '../check.ts';

const RIFF_BYTES = 8;
const WINDOW_ROWS = 200;

export const alteredFiles: Check = {
  name: 'altered files',
  priority: 'critical',
  stage: 'longest',
  consoleText: null,
  async run(examined) {
    const { db } = await examined.openDatabase();
    const storage = await examined.openStorage();
    const altered = new Tally();
    for await (const rows of listFileRows(db, examined.files, WINDOW_ROWS)) {
      for (const { name, files } of rows) {
        for (const file of files) {
          if (await isAltered(storage, file)) altered.add(`${name}: ${file.key}`);
        }
      }
    }
    return altered.diagnose({
      kind: 'altered',
      found: (count) => `${countOf(count, 'file', 'has')} other content than when stored, or a part of it.`,
      meaning: 'The disk or a program has changed it; it may sound wrong or not play at all.',
      remedy: 'Check the disk. Restore the files from a backup.',
    });
  },
};

/** A missing file, or one of another size, is reported as such. */
async function isAltered(storage: Storage, { key, sizeBytes, sha256 }: OwnedFile): Promise<boolean> {
  const stored = await storage.find(key);
  if (stored === undefined) return false;
  try {
    if (sha256 !== undefined) return stored.size === sizeBytes && (await hash(storage, key)) !== sha256;
    return key.endsWith('.webp') && !(await isWhole(storage, key, stored.size));
  } catch (error) {
    if (error instanceof MissingObjectError) return false;
    throw error;
  }
}

async function hash(storage: Storage, key: string): Promise<string> {
  const sum = createHash('sha256');
  for await (const chunk of (await storage.open(key)) as AsyncIterable<Uint8Array>) sum.update(chunk);
  return sum.digest('hex');
}

/** No hash of a picture is stored, but a WebP file begins with its own length (RFC 9649 §2.3). */
async function isWhole(storage: Storage, key: string, sizeBytes: number): Promise<boolean> {
  if (sizeBytes < RIFF_BYTES) return false;
  const head = await buffer(await storage.open(key, { start: 0, end: RIFF_BYTES - 1 }));
  return head.toString('latin1', 0, 4) === 'RIFF' && head.readUInt32LE(4) + RIFF_BYTES === sizeBytes;
}
