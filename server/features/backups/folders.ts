import type { Dirent } from 'node:fs';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';

/**
 * What a backup does with an entry of the data folder:
 * - `database`: copied as a snapshot, never as a file.
 * - `data`: copied.
 * - `keys`: copied with `--with-keys` only, so that a copy of a backup opens neither accounts nor photographs.
 * - `scratch`: never copied. It is rebuilt, or worthless after a restore.
 */
export type FolderClass = 'database' | 'data' | 'keys' | 'scratch';

/** Every entry of the data folder, and of its folder `files`. A trailing slash marks a folder. */
export const FOLDER_CLASSES: Readonly<Record<string, FolderClass>> = {
  'site.sqlite': 'database',
  'site.sqlite-wal': 'database',
  'site.sqlite-shm': 'database',
  'files/sounds/': 'data',
  'files/pictures/': 'data',
  'files/quality-check/': 'data',
  // Sealed images of IDs. Each opens with its data key below and the staff's private key, which is on another machine.
  'files/personal-info/': 'data',
  'files/personal-info-keys/': 'keys',
  'files/.unfinished/': 'scratch',
  // Without them a restored site would refuse to start: the database knows their contents.
  '.site-marker': 'data',
  'files/.site-marker': 'data',
  'notices/': 'data',
  // Marks the data of the demo.
  '.demo': 'data',
  'secrets/': 'keys',
  // Pieces of uploads that no reply has confirmed as a sound.
  'uploads/': 'scratch',
  'temporary/': 'scratch',
  // Mails that were delivered into a folder: they contain personal links.
  'outbox/': 'scratch',
  // Left by an interrupted upgrade.
  'site.sqlite.restore-point': 'scratch',
  'database.restore-point': 'scratch',
  'backup-status.json': 'scratch',
  'backup-failing.json': 'scratch',
  'restore-incomplete.json': 'scratch',
  // A disk of its own has it.
  'lost+found/': 'scratch',
};

/** A file to back up; `name` is its path below the data folder, with slashes. */
export interface DataFile {
  readonly name: string;
  readonly path: string;
  readonly size: number;
  readonly modifiedAt: Date;
}

/** The class of a path below the data folder; undefined for a path that no version of this program writes. */
export function toClass(name: string): FolderClass | undefined {
  if (Object.hasOwn(FOLDER_CLASSES, name)) return FOLDER_CLASSES[name];
  const found = Object.entries(FOLDER_CLASSES).find(
    ([folder]) => folder.endsWith('/') && name.startsWith(folder),
  );
  return found?.[1];
}

/** The files to back up, folder by folder; one that is removed meanwhile is left out. */
export async function* listDataFiles(dataDir: string, withKeys: boolean): AsyncGenerator<DataFile> {
  for (const [entry, kind] of Object.entries(FOLDER_CLASSES)) {
    if (kind !== 'data' && !(kind === 'keys' && withKeys)) continue;
    for await (const name of walk(dataDir, entry)) {
      const path = join(dataDir, name);
      const found = await stat(path).catch(() => undefined);
      if (found?.isFile()) yield { name, path, size: found.size, modifiedAt: found.mtime };
    }
  }
}

/** Entries of the data folder without a class. A backup leaves them out and reports them. */
export async function listUnknown(dataDir: string): Promise<string[]> {
  const names: string[] = [];
  for (const entry of await list(dataDir)) {
    if (entry.name === 'files') {
      for (const below of await list(join(dataDir, 'files'))) names.push(toName(below, 'files/'));
    } else names.push(toName(entry));
  }
  return names.filter((name) => toClass(name) === undefined).toSorted();
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
