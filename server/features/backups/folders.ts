import type { Dirent } from 'node:fs';
import { open, readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { MARKER_FILE, MissingObjectError } from '../../platform/storage/port.ts';
import { openStorage } from '../../platform/storage/open.ts';
import { readMarkerText } from '../../platform/storage/markers.ts';
import { toFolderPath } from '../../platform/storage/folder.ts';
import type { Storage, StorageLocation } from '../../platform/storage/port.ts';
import type { FileFolder, FileOwner } from '../stored-files/owners.ts';
import { readHandle } from './files.ts';

/**
 * What a backup does with an entry of the data folder:
 * - `database`: copied as a snapshot, never as a file.
 * - `data`: copied.
 * - `keys`: copied with `--with-keys` only, so that a copy of a backup opens neither accounts nor photographs.
 * - `scratch`: never copied. It is rebuilt, or worthless after a restore.
 */
export type FolderClass = 'database' | FileFolder['backup'];

/** The class of each entry of the data folder, and of its folder `files`. A trailing slash marks a folder. */
export type FolderClasses = Readonly<Record<string, FolderClass>>;

/** Those of a site whose files these tables own. */
export function toFolderClasses(owners: readonly FileOwner[]): FolderClasses {
  const folders = owners.flatMap(({ columns }) => columns.map(({ folder }) => folder));
  return {
    ...Object.fromEntries(folders.map(({ name, backup }) => [`${FILES_FOLDER}${name}/`, backup])),
    ...OTHERS,
  };
}

/** The entries that are no folders of files that rows own. */
const OTHERS: FolderClasses = {
  'site.sqlite': 'database',
  'site.sqlite-wal': 'database',
  'site.sqlite-shm': 'database',
  'files/.unfinished/': 'scratch',
  // Without them a restored site would refuse to start: the database knows their contents.
  '.site-marker': 'data',
  'files/.site-marker': 'data',
  // Marks the data of the demo.
  '.demo': 'data',
  'secrets/': 'keys',
  'temporary/': 'scratch',
  // Mails that were delivered into a folder: they contain personal links.
  'outbox/': 'scratch',
  'backup-status.json': 'scratch',
  'backup-failing.json': 'scratch',
  'restore-incomplete.json': 'scratch',
  'restore-incomplete.json.new': 'scratch',
  // The mark of a restore in a bucket.
  'files/restores/': 'scratch',
  // A disk of its own has it.
  'lost+found/': 'scratch',
};

/** The folder of the storage's objects; those of a bucket have the same names in a backup. */
export const FILES_FOLDER = 'files/';

/** A file to back up; `name` is its path below the data folder, with slashes. */
export interface DataFile {
  readonly name: string;
  readonly size: number;
  readonly modifiedAt: Date;
  /**
   * Calls `use` with exactly `size` bytes. Returns false for a file that is removed before it is opened; throws if its
   * size has changed.
   */
  read(use: (content: AsyncIterable<Uint8Array>) => Promise<void>): Promise<boolean>;
}

export interface DataPlaces {
  readonly dataDir: string;
  readonly storage: StorageLocation;
  /** Every table with files in the storage. */
  readonly files: readonly FileOwner[];
}

/** The class of a path below the data folder; undefined for a path that no version of this program writes. */
export function toClass(classes: FolderClasses, name: string): FolderClass | undefined {
  if (Object.hasOwn(classes, name)) return classes[name];
  const found = Object.entries(classes).find(([folder]) => folder.endsWith('/') && name.startsWith(folder));
  return found?.[1];
}

/** The files to back up, folder by folder, then those of a bucket; one that is removed meanwhile is left out. */
export async function* listDataFiles(
  { dataDir, storage, files }: DataPlaces,
  withKeys: boolean,
): AsyncGenerator<DataFile> {
  const classes = toFolderClasses(files);
  const isCopied = (kind: FolderClass | undefined) => kind === 'data' || (kind === 'keys' && withKeys);
  for (const [entry, kind] of Object.entries(classes)) {
    if (!isCopied(kind) || (storage.kind === 's3' && entry.startsWith(FILES_FOLDER))) continue;
    for await (const name of walk(dataDir, entry)) {
      const path = join(dataDir, name);
      const found = await stat(path).catch(() => undefined);
      if (!found?.isFile()) continue;
      const { size, mtime } = found;
      yield { name, size, modifiedAt: mtime, read: (use) => readFile(path, size, use) };
    }
  }
  if (storage.kind !== 's3') return;
  for await (const file of listObjects(storage)) if (isCopied(toClass(classes, file.name))) yield file;
}

async function* listObjects(location: StorageLocation & { kind: 's3' }): AsyncGenerator<DataFile> {
  const marker = await readMarkerText({ folder: 'files', bucket: location.bucket });
  if (marker !== undefined) {
    const content = Buffer.from(`${marker}\n`);
    yield {
      name: `${FILES_FOLDER}${MARKER_FILE}`,
      size: content.byteLength,
      modifiedAt: new Date(),
      read: async (use) => (await use(Readable.from([content])), true),
    };
  }
  const storage = await openStorage(location);
  for await (const { key, isObject, size, modifiedAt } of storage.list()) {
    if (!isObject) continue;
    const name = `${FILES_FOLDER}${toFolderPath(key)}`;
    yield { name, size, modifiedAt, read: (use) => readObject(storage, key, size, use) };
  }
}

async function readFile(path: string, size: number, use: Parameters<DataFile['read']>[0]): Promise<boolean> {
  const handle = await open(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined;
    throw error;
  });
  if (handle === undefined) return false;
  try {
    await use(readHandle(handle, size));
    return true;
  } finally {
    await handle.close();
  }
}

async function readObject(
  storage: Storage,
  key: string,
  size: number,
  use: Parameters<DataFile['read']>[0],
): Promise<boolean> {
  const stream = await storage.open(key).catch((error: unknown) => {
    if (error instanceof MissingObjectError) return undefined;
    throw error;
  });
  if (stream === undefined) return false;
  try {
    await use(requireSize(stream, size));
    return true;
  } finally {
    stream.destroy();
  }
}

async function* requireSize(content: Readable, size: number): AsyncGenerator<Uint8Array> {
  let bytes = 0;
  for await (const chunk of content as AsyncIterable<Uint8Array>) {
    if ((bytes += chunk.byteLength) > size) break;
    yield chunk;
  }
  if (bytes !== size) throw new Error('a file changed its size while it was read');
}

/** Entries of the data folder without a class. A backup leaves them out and reports them. */
export async function listUnknown({ dataDir, files }: Omit<DataPlaces, 'storage'>): Promise<string[]> {
  const classes = toFolderClasses(files);
  const names: string[] = [];
  for (const entry of await list(dataDir)) {
    if (entry.name === 'files') {
      for (const below of await list(join(dataDir, 'files'))) names.push(toName(below, 'files/'));
    } else names.push(toName(entry));
  }
  return names.filter((name) => toClass(classes, name) === undefined).toSorted();
}

/** Symbolic links are not followed: what they point to is not part of the data folder. */
async function* walk(dataDir: string, name: string): AsyncGenerator<string> {
  if (!name.endsWith('/')) {
    yield name;
    return;
  }
  for (const entry of await list(join(dataDir, name))) yield* walk(dataDir, toName(entry, name));
}

function toName(entry: Dirent, parent = ''): string {
  return `${parent}${entry.name}${entry.isDirectory() ? '/' : ''}`;
}

async function list(folder: string): Promise<Dirent[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries
    .filter((entry) => entry.isFile() || entry.isDirectory())
    .toSorted((a, b) => (a.name < b.name ? -1 : 1));
}
