import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createDiskSpace } from '../../../platform/storage/storage.ts';
import type { DiskSpace } from '../../../platform/storage/storage.ts';
import { createUploadLocks } from './locks.ts';
import type { UploadLocks } from './locks.ts';

/** Bytes of unfinished uploads, in one file per upload, named by its id. */
export interface UploadFiles {
  readonly folder: string;
  /** Must be held while writing, reading or removing a file. */
  readonly locks: UploadLocks;
  readonly space: DiskSpace;
  toPath(id: string): string;
  /** The number of bytes received; undefined when there is no file. */
  findSize(id: string): Promise<number | undefined>;
  /** The number of bytes received and when the file last grew (epoch ms); undefined when there is no file. */
  findProgress(id: string): Promise<{ readonly bytes: number; readonly grewAt: number } | undefined>;
  /** Removing a missing file is not an error. */
  remove(id: string): Promise<void>;
  /** Ids of all uploads with a file. */
  list(): Promise<string[]>;
}

/** Files in a local folder, which is created if missing. */
export async function openUploadFiles(folder: string, space?: DiskSpace): Promise<UploadFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return toUploadFiles(folder, space);
}

/** Same as `openUploadFiles`, for a folder that exists or is never needed. */
export function toUploadFiles(folder: string, space: DiskSpace = createDiskSpace()): UploadFiles {
  const toPath = (id: string) => join(folder, id);
  const findStats = (id: string) =>
    stat(toPath(id)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  return {
    folder,
    locks: createUploadLocks(),
    space,
    toPath,
    findSize: async (id) => (await findStats(id))?.size,
    async findProgress(id) {
      const found = await findStats(id);
      return found && { bytes: found.size, grewAt: found.mtimeMs };
    },
    remove: (id) => rm(toPath(id), { force: true }),
    list: () => readdir(folder),
  };
}
