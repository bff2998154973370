import { randomUUID } from 'node:crypto';
import { rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import { MissingObjectError, toKeySegments } from '#server/platform/storage/port.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import type { TemporaryFiles } from '#server/platform/storage/temporary-files.ts';

export interface MemoryStorage extends Storage {
  readonly objects: ReadonlyMap<string, Buffer>;
}

/** The bytes of the sounds that `toFile` describes. Tests insert them into the database and store none. */
const UNSTORED = /^sounds\/key-of-/;
const SILENCE = Buffer.alloc(48_000);

/** A storage in memory. */
export function createMemoryStorage(): MemoryStorage {
  const objects = new Map<string, Buffer>();
  return {
    objects,
    async put(key, content) {
      toKeySegments(key);
      objects.set(key, content instanceof Readable ? await buffer(content) : Buffer.from(content));
    },
    async open(key, range) {
      const content = objects.get(key) ?? (UNSTORED.test(key) ? SILENCE : undefined);
      if (content === undefined) throw new MissingObjectError(key);
      return Readable.from([content.subarray(range?.start ?? 0, (range?.end ?? content.byteLength) + 1)]);
    },
    async find(key) {
      const content = objects.get(key);
      return content && { size: content.byteLength, modifiedAt: new Date(0) };
    },
    has: async (key) => objects.has(key),
    delete: async (key) => void objects.delete(key),
    async *list() {
      for (const [key, { byteLength }] of objects)
        yield { key, isObject: true, size: byteLength, modifiedAt: new Date(0) };
    },
    deleteIncomplete: () => Promise.resolve(),
  };
}

/** The same for files of forms. A closed one is also on the disk, for other processes. */
export function createMemoryFiles(): TemporaryFiles {
  return {
    async make() {
      const chunks: Buffer[] = [];
      const path = join(tmpdir(), `form-${randomUUID()}`);
      return {
        path,
        append: async (chunk) => void chunks.push(Buffer.from(chunk)),
        close: () => writeFile(path, chunks),
        read: async () => Buffer.concat(chunks),
        remove: () => rm(path, { force: true }),
      };
    },
  };
}

/** The sorted keys of the objects in a storage. */
export async function listKeys(storage: Storage, prefix = ''): Promise<string[]> {
  const keys = (await Array.fromAsync(storage.list())).map(({ key }) => key);
  return keys.filter((key) => key.startsWith(prefix)).toSorted();
}
