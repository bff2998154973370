import { createHash, randomBytes } from 'node:crypto';
import { readdir, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { MissingObjectError } from '#server/platform/storage/port.ts';
import { makeFolder } from '#support/files/folders.ts';

const KEY = `sounds/${createHash('sha256').update('a').digest('hex')}`;

async function filesUnder(root: string): Promise<string[]> {
  const entries = await readdir(root, { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}

describe('folder storage', () => {
  test('returns what was stored, from bytes and from a stream', async () => {
    const storage = await openFolderStorage(await makeFolder());
    await storage.put(KEY, Buffer.from('bytes'));
    expect(await text(await storage.open(KEY))).toBe('bytes');
    const large = randomBytes(300_000);
    await storage.put(
      'pictures/ab/320.webp',
      Readable.from([large.subarray(0, 100_000), large.subarray(100_000)]),
    );
    expect(await buffer(await storage.open('pictures/ab/320.webp'))).toEqual(large);
  });

  test('opens a range, both ends included', async () => {
    const storage = await openFolderStorage(await makeFolder());
    await storage.put(KEY, Buffer.from('0123456789'));
    expect(await text(await storage.open(KEY, { start: 2, end: 5 }))).toBe('2345');
  });

  test('reports size and presence, and deletes objects', async () => {
    const storage = await openFolderStorage(await makeFolder());
    expect(await storage.has(KEY)).toBe(false);
    await storage.put(KEY, Buffer.from('12345'));
    expect(await storage.find(KEY)).toMatchObject({ size: 5 });
    await storage.delete(KEY);
    await storage.delete(KEY);
    expect(await storage.find(KEY)).toBeUndefined();
    await expect(storage.open(KEY)).rejects.toBeInstanceOf(MissingObjectError);
  });

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
    expect(await filesUnder(root)).toEqual([]);
  });

  test('U14: sweeps files of a crash, but no recent temporary file and no object', async () => {
    const root = await makeFolder();
    let now = Date.now();
    const storage = await openFolderStorage(root, () => now);
    await storage.put('sounds/kept', Buffer.from('whole'));
    await writeFile(join(root, '.unfinished', 'a-second-before-the-crash'), 'half');
    await storage.deleteIncomplete();
    expect((await filesUnder(root)).toSorted()).toEqual(['a-second-before-the-crash', 'kept']);
    now += 60 * 60 * 1000 + 1_000;
    await writeFile(join(root, '.unfinished', 'on-its-way'), 'half');
    await utimes(join(root, '.unfinished', 'on-its-way'), now / 1000, now / 1000);
    await storage.deleteIncomplete();
    expect((await filesUnder(root)).toSorted()).toEqual(['kept', 'on-its-way']);
  });

  test('allows concurrent writers of the same content', async () => {
    const storage = await openFolderStorage(await makeFolder());
    await Promise.all(Array.from({ length: 10 }, () => storage.put(KEY, Buffer.from('same'))));
    expect(await text(await storage.open(KEY))).toBe('same');
  });

  test.each([
    '',
    'sounds',
    '/etc/passwd',
    '../outside/x',
    'sounds/../../x',
    'sounds/..',
    'sounds/.hidden',
    'sounds//x',
    'sounds/a\\b',
    'sounds/a\0b',
    'sounds/a%2fb',
    'a/b/c/d/e',
    '.unfinished/x',
    `sounds/${'x'.repeat(200)}`,
  ])('refuses the key %j', async (key) => {
    const storage = await openFolderStorage(await makeFolder());
    await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow(RangeError);
    await expect(storage.open(key)).rejects.toThrow(RangeError);
    await expect(storage.delete(key)).rejects.toThrow(RangeError);
  });
});
