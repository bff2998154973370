import { createHash, randomBytes } from 'node:crypto';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer, text } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { openBucket } from '#server/platform/storage/open.ts';
import { type ListedObject, type Storage, MissingObjectError } from '#server/platform/storage/port.ts';
import { isSoak } from '#support/depth.ts';
import { makeFolder } from '#support/files/folders.ts';
import { collectGarbage } from '#support/processes/garbage.ts';
import { S3_SERVERS, isS3Service, startS3 } from '#support/processes/s3.ts';

const MIB = 1024 ** 2;
const KEY = `sounds/${createHash('sha256').update('a').digest('hex')}`;

interface Opened {
  readonly storage: Storage;
  putForeign(name: string): Promise<void>;
}

async function openFolder(): Promise<Opened> {
  const root = await makeFolder();
  const storage = await openFolderStorage(root);
  return {
    storage,
    async putForeign(name) {
      await mkdir(join(root, name, '..'), { recursive: true });
      await writeFile(join(root, name), 'foreign');
    },
  };
}

const IMPLEMENTATIONS: readonly { readonly name: string; open(): Promise<Opened> }[] = [
  { name: 'a folder', open: openFolder },
  ...S3_SERVERS.map(({ name, start }) => ({
    name,
    async open() {
      const s3 = await startS3(start);
      return { storage: openBucket(s3.location), putForeign: s3.putForeign };
    },
  })),
];

describe.each(IMPLEMENTATIONS)('storage in $name', ({ name, open }) => {
  test('returns what was stored, from bytes and from a stream', async () => {
    const { storage } = await open();
    await storage.put(KEY, Buffer.from('bytes'));
    expect(await text(await storage.open(KEY))).toBe('bytes');
    const large = randomBytes(300_000);
    await storage.put('pictures/ab/320.webp', toStream(large, 100_000));
    expect(await buffer(await storage.open('pictures/ab/320.webp'))).toEqual(large);
    // fauxqs answers 500 to an empty object.
    if (name === 'fauxqs') return;
    await storage.put('pictures/ab/empty', Readable.from([]));
    expect(await buffer(await storage.open('pictures/ab/empty'))).toHaveLength(0);
  });

  test('opens a range, both ends included', async () => {
    const { storage } = await open();
    await storage.put(KEY, Buffer.from('0123456789'));
    expect(await text(await storage.open(KEY, { start: 2, end: 5 }))).toBe('2345');
    expect(await text(await storage.open(KEY, { start: 9, end: 9 }))).toBe('9');
    expect(await text(await storage.open(KEY, { start: 8, end: 100 }))).toBe('89');
  });

  test('reports size, time and presence, and deletes objects', async () => {
    const { storage } = await open();
    expect(await storage.has(KEY)).toBe(false);
    const before = Date.now();
    await storage.put(KEY, Buffer.from('12345'));
    const found = await storage.find(KEY);
    expect(found?.size).toBe(5);
    expect(Math.abs((found?.modifiedAt.getTime() ?? 0) - before)).toBeLessThan(10_000);
    expect(await storage.has(KEY)).toBe(true);
    await storage.delete(KEY);
    await storage.delete(KEY);
    expect(await storage.find(KEY)).toBeUndefined();
    await expect(storage.open(KEY)).rejects.toBeInstanceOf(MissingObjectError);
  });

  test.each([
    ['a small stream', 4],
    ['a stream of several parts', 20 * MIB],
  ])('stores nothing when %s fails', async (_name, bytes) => {
    const { storage } = await open();
    const broken = Readable.from(
      (async function* () {
        for (let sent = 0; sent < bytes; sent += MIB) yield Buffer.alloc(Math.min(MIB, bytes));
        throw new Error('the line broke');
      })(),
    );
    await expect(storage.put(KEY, broken)).rejects.toThrow('the line broke');
    expect(await storage.has(KEY)).toBe(false);
    expect(await listAll(storage)).toEqual([]);
  });

  test.each([8 * MIB, 8 * MIB + 1, 16 * MIB, 21 * MIB + 5])(
    'keeps the bytes of a file of %i bytes in order',
    async (size) => {
      const { storage } = await open();
      const content = randomBytes(size);
      await storage.put(KEY, toStream(content, 777_777));
      expect((await storage.find(KEY))?.size).toBe(size);
      expect(hash(await buffer(await storage.open(KEY)))).toBe(hash(content));
      const range = { start: 8 * MIB - 10, end: Math.min(size, 8 * MIB + 10) - 1 };
      expect(await buffer(await storage.open(KEY, range))).toEqual(
        content.subarray(range.start, range.end + 1),
      );
      await storage.put('sounds/whole', content);
      expect(hash(await buffer(await storage.open('sounds/whole')))).toBe(hash(content));
    },
  );

  test('replaces an object, and allows concurrent writers of the same content', async () => {
    const { storage } = await open();
    await storage.put(KEY, Buffer.from('old'));
    await Promise.all(Array.from({ length: 10 }, () => storage.put(KEY, Buffer.from('same'))));
    expect(await text(await storage.open(KEY))).toBe('same');
  });

  test('lists every object with its size, and files that are none', async () => {
    const { storage, putForeign } = await open();
    // More than a page of a listing.
    const count = name === 'fauxqs' || isS3Service ? 1_100 : 30;
    const keys = Array.from({ length: count }, (_, index) => `sounds/${String(index).padStart(6, '0')}`);
    for (let at = 0; at < count; at += 50)
      await Promise.all(keys.slice(at, at + 50).map((key) => storage.put(key, Buffer.from(key))));
    await storage.put('pictures/ab/96.webp', Buffer.from('picture'));
    await putForeign('notes (old).txt');
    const listed = await listAll(storage);
    expect(listed.filter(({ isObject }) => isObject).map(({ key }) => key)).toEqual(
      [...keys, 'pictures/ab/96.webp'].toSorted(),
    );
    expect(listed.find(({ key }) => key === 'pictures/ab/96.webp')?.size).toBe(7);
    expect(Math.abs((listed[0]?.modifiedAt.getTime() ?? 0) - Date.now())).toBeLessThan(60_000);
    expect(listed.filter(({ isObject }) => !isObject).map(({ key }) => key)).toEqual(['notes (old).txt']);
  });

  test('a reader may leave early', async () => {
    const { storage } = await open();
    await storage.put(KEY, Buffer.alloc(5 * MIB));
    const stream = await storage.open(KEY);
    for await (const chunk of stream) {
      expect((chunk as Buffer).byteLength).toBeGreaterThan(0);
      break;
    }
    expect(stream.destroyed).toBe(true);
  });

  test.runIf(isSoak)('streams large files with little memory', { timeout: 300_000 }, async () => {
    // The other server keeps its objects in memory.
    if (name === 'fauxqs') return;
    const { storage } = await open();
    // More than may be held.
    const size = 2_000 * MIB;
    const watched = watchMemory(80 * MIB);
    const block = randomBytes(MIB);
    const sent = createHash('sha256');
    await storage.put(
      KEY,
      Readable.from(
        (async function* () {
          for (let at = 0; at < size; at += MIB) {
            sent.update(block);
            yield block;
          }
        })(),
        { objectMode: false },
      ),
    );
    const read = createHash('sha256');
    for await (const chunk of await storage.open(KEY)) read.update(chunk as Buffer);
    expect(read.digest('hex')).toBe(sent.digest('hex'));
    expect(watched.stop()).toBeLessThan(80 * MIB);
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
    const { storage } = await open();
    await expect(storage.put(key, Buffer.from('x'))).rejects.toThrow(RangeError);
    await expect(storage.open(key)).rejects.toThrow(RangeError);
    await expect(storage.find(key)).rejects.toThrow(RangeError);
    await expect(storage.delete(key)).rejects.toThrow(RangeError);
  });
});

function toStream(content: Buffer, chunkBytes: number): Readable {
  const chunks: Buffer[] = [];
  for (let at = 0; at < content.byteLength; at += chunkBytes)
    chunks.push(content.subarray(at, at + chunkBytes));
  return Readable.from(chunks, { objectMode: false });
}

async function listAll(storage: Storage): Promise<ListedObject[]> {
  const listed: ListedObject[] = [];
  for await (const each of storage.list()) listed.push(each);
  return listed.toSorted((a, b) => (a.key < b.key ? -1 : 1));
}

/** The greatest growth of the bytes in buffers. Above the bound only buffers in use count. */
function watchMemory(bound: number) {
  const readGrowth = () => process.memoryUsage().arrayBuffers - before;
  collectGarbage();
  const before = process.memoryUsage().arrayBuffers;
  let most = 0;
  const timer = setInterval(() => {
    if (readGrowth() >= bound) collectGarbage();
    most = Math.max(most, readGrowth());
  }, 5);
  return {
    stop() {
      clearInterval(timer);
      return most;
    },
  };
}

function hash(content: Buffer): string {
  return createHash('sha256').update(content).digest('hex');
}
