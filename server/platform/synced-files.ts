import { closeSync, fsyncSync, mkdirSync, openSync } from 'node:fs';
import { mkdir, open } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { LRUCache } from 'lru-cache';

/**
 * Files that survive a power loss. A file's content is on the disk after its fsync, and its name after that of its folder:
 * write a draft with `writeSynced`, rename it, and sync the folder. The same holds for a folder in its parent, and for a
 * file that is removed.
 */

/** Writes a file whose content is on the disk when this returns. Its name is there after `syncFolder`. */
export async function writeSynced(
  file: string,
  content: AsyncIterable<Uint8Array> | Uint8Array | string,
  { flags = 'wx', mode = 0o600 }: { readonly flags?: 'wx' | 'w'; readonly mode?: number } = {},
): Promise<void> {
  const handle = await open(file, flags, mode);
  try {
    await handle.writeFile(content);
    await handle.sync();
  } finally {
    await handle.close();
  }
}

/** Writes the new, renamed and removed entries of a folder to the disk. */
export async function syncFolder(path: string): Promise<void> {
  const folder = await open(path, 'r');
  try {
    await folder.sync();
  } finally {
    await folder.close();
  }
}

/** `syncFolder` for what is done once, before a process serves. */
export function syncFolderNow(path: string): void {
  const folder = openSync(path, 'r');
  try {
    fsyncSync(folder);
  } finally {
    closeSync(folder);
  }
}

/** Creates a folder and its parents if they are missing. Each new one is on the disk when this returns. */
export function makeFolderNow(path: string, mode = 0o777): void {
  const first = mkdirSync(path, { recursive: true, mode });
  if (first === undefined) return;
  for (const parent of listParents(path, dirname(first))) syncFolderNow(parent);
}

/** Folders that are not synced again; any other costs one more sync of its parents. */
const FOLDERS_MAX = 1_000;

/**
 * Creates folders below `root`, each of which is on the disk when the promise resolves: also one that another call is
 * creating, or that a killed process has created and not synced.
 */
export function createFolderMaker(root: string, mode = 0o777): (path: string) => Promise<void> {
  const synced = new LRUCache<string, true>({ max: FOLDERS_MAX });
  return async (path) => {
    const first = await mkdir(path, { recursive: true, mode });
    if (first === undefined && synced.has(path)) return;
    for (const parent of listParents(path, root)) await syncFolder(parent);
    synced.set(path, true);
  };
}

/** The folders above a path, up to `top`; none above it. */
function listParents(path: string, top: string): string[] {
  const parents: string[] = [];
  for (let at = resolve(path); at !== resolve(top) && at !== dirname(at);) parents.push((at = dirname(at)));
  return parents;
}
