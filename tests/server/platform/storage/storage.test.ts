import { createHash } from 'node:crypto';
import { utimes, writeFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { listFiles, makeFolder } from '#support/files/folders.ts';

const KEY = `sounds/${createHash('sha256').update('a').digest('hex')}`;

/** The names of all files, sorted. */
async function listNames(root: string): Promise<string[]> {
  return (await listFiles(root)).map((path) => basename(path)).toSorted();
}

describe('folder storage', () => {
  test('stores nothing when the source of a file breaks off', async () => {
    const root = await makeFolder();
    const storage = await openFolderStorage(root);
    const broken = Readable.from(
      (async function* () {
        yield Buffer.from('half');
        throw new Error('the line broke');
      })(),
    );
    await expect(storage.put(KEY, broken)).rejects.toThrow('the line broke');
    expect(await storage.has(KEY)).toBe(false);
    expect(await listNames(root)).toEqual([]);
  });

  test('U14: sweeps files of a crash, but no recent temporary file and no object', async () => {
    const root = await makeFolder();
    let now = Date.now();
    const storage = await openFolderStorage(root, () => now);
    await storage.put('sounds/kept', Buffer.from('whole'));
    await writeFile(join(root, '.unfinished', 'a-second-before-the-crash'), 'half');
    await storage.deleteIncomplete();
    expect(await listNames(root)).toEqual(['a-second-before-the-crash', 'kept']);
    now += 60 * 60 * 1000 + 1_000;
    await writeFile(join(root, '.unfinished', 'on-its-way'), 'half');
    await utimes(join(root, '.unfinished', 'on-its-way'), now / 1000, now / 1000);
    await storage.deleteIncomplete();
    expect(await listNames(root)).toEqual(['kept', 'on-its-way']);
  });
});
