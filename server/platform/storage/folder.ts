import { randomUUID } from 'node:crypto';
import type { Dir, Stats } from 'node:fs';
import type { FileHandle } from 'node:fs/promises';
import { open, opendir, readdir, rename, rm, stat, unlink } from 'node:fs/promises';
import { dirname, join, relative, sep } from 'node:path';
import type { Readable } from 'node:stream';
import { HOUR_MS } from '../../../contract/values/time-units.ts';
import { createFolderMaker, makeFolderNow, syncFolder, writeSynced } from '../synced-files.ts';
import { LOW_BYTES, createDiskSpace } from './disk-space.ts';
import type { DiskSpace } from './disk-space.ts';
import { MARKER_FILE, MissingObjectError, isKey, toKeySegments } from './port.ts';
import type { ListedObject, Storage } from './port.ts';

/** Unfinished files are in a folder of their own, on the same file system, so that they are never taken for objects. */
const UNFINISHED = '.unfinished';
/** Another process may be writing: only files that are unchanged for this long are left over from a crash. */
const LEFTOVER_AGE_MS = HOUR_MS;

/** Storage in a local folder. `put` throws the error of a full disk before it would fill it. */
export async function openFolderStorage(
  root: string,
  now: () => number = Date.now,
  space: DiskSpace = createDiskSpace(),
): Promise<Storage> {
  const unfinished = join(root, UNFINISHED);
  makeFolderNow(unfinished);
  const makeFolder = createFolderMaker(root);

  const toPath = (key: string) => join(root, toFolderPath(key));

  async function find(key: string) {
    const found = await stat(toPath(key)).catch(onMissing<Stats>);
    return found?.isFile() ? { size: found.size, modifiedAt: found.mtime } : undefined;
  }

  return {
    async put(key, content) {
      const path = toPath(key);
      const temporary = join(unfinished, randomUUID());
      try {
        const chunks = requireSpace(content, (bytes) => space.requireFree(root, bytes, LOW_BYTES));
        await writeSynced(temporary, chunks, { mode: 0o644 });
        await makeFolder(dirname(path));
        await rename(temporary, path);
      } catch (error) {
        await rm(temporary, { force: true });
        throw error;
      }
      await syncFolder(dirname(path));
    },
    async open(key, range) {
      const file = await open(toPath(key)).catch(onMissing<FileHandle>);
      if (file === undefined) throw new MissingObjectError(key);
      return file.createReadStream({ ...range, highWaterMark: 64 * 1024 });
    },
    find,
    has: async (key) => (await find(key)) !== undefined,
    async delete(key) {
      try {
        await unlink(toPath(key));
      } catch (error) {
        return onMissing(error);
      }
      // Its row is deleted next: a file that came back would belong to nothing.
      await syncFolder(dirname(toPath(key)));
    },
    list: () => listObjects(root),
    deleteIncomplete: () => deleteUnchangedSince(unfinished, now() - LEFTOVER_AGE_MS),
    room: {
      watch: (sumExpected) => space.watch(root, sumExpected),
      admit: () => space.admit(root),
      requireFree: (bytes) => space.requireFree(root, bytes),
    },
  };
}

/** `sounds/ab12…` → `sounds/ab/ab12…`: no folder grows to a million entries. */
export function toFolderPath(key: string): string {
  const [top, name, ...rest] = toKeySegments(key);
  return [top, name.slice(0, 2), name, ...rest].join('/');
}

/** The key of the object at a path below the folder of a storage; undefined for a path that has none. */
export function findKey(path: string): string | undefined {
  const [top = '', , ...rest] = path.split('/');
  const key = [top, ...rest].join('/');
  return isKey(key) && toFolderPath(key) === path ? key : undefined;
}

async function* requireSpace(
  content: Uint8Array | Readable,
  requireFree: (bytes: number) => Promise<void>,
): AsyncGenerator<Uint8Array> {
  const chunks = content instanceof Uint8Array ? [content] : (content as AsyncIterable<Uint8Array>);
  for await (const chunk of chunks) {
    await requireFree(chunk.byteLength);
    yield chunk;
  }
}

/** Reads one folder at a time, so that memory does not grow with the number of files. */
async function* listObjects(root: string): AsyncIterable<ListedObject> {
  for await (const path of walk(root)) {
    const name = relative(root, path).split(sep).join('/');
    if (name === MARKER_FILE || name.startsWith(`${UNFINISHED}/`)) continue;
    const found = await stat(path).catch(onMissing<Stats>);
    if (found === undefined) continue;
    const key = findKey(name);
    const isObject = key !== undefined;
    yield { key: key ?? name, isObject, size: found.size, modifiedAt: found.mtime };
  }
}

/** Every path below a folder that is not a folder itself. */
async function* walk(folder: string): AsyncIterable<string> {
  const entries = await opendir(folder).catch(onMissing<Dir>);
  for await (const entry of entries ?? []) {
    const path = join(folder, entry.name);
    if (entry.isDirectory()) yield* walk(path);
    else yield path;
  }
}

async function deleteUnchangedSince(folder: string, before: number): Promise<void> {
  for (const name of await readdir(folder)) {
    const path = join(folder, name);
    const found = await stat(path).catch(onMissing<Stats>);
    if (found && found.mtimeMs < before) await rm(path, { force: true });
  }
}

function onMissing<Value>(error: unknown): Value | undefined {
  const code = (error as NodeJS.ErrnoException).code;
  if (code === 'ENOENT' || code === 'ENOTDIR' || code === 'EISDIR') return undefined;
  throw error;
}
