import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { createDiskRoom } from '../../../platform/storage/storage.ts';
import type { DiskRoom } from '../../../platform/storage/storage.ts';
import { createUploadLocks } from './locks.ts';
import type { UploadLocks } from './locks.ts';

/** Bytes of uploads that are on their way, each in a file that is called like its upload. */
export interface UploadFiles {
  readonly folder: string;
  /** To be held by whoever writes, reads or removes a file. */
  readonly locks: UploadLocks;
  readonly room: DiskRoom;
  toPath(id: string): string;
  /** How much has arrived; undefined where there is no file. */
  findSize(id: string): Promise<number | undefined>;
  /** How much of an upload is there and when it last grew (epoch ms); undefined where there is no file. */
  findProgress(id: string): Promise<{ readonly bytes: number; readonly grewAt: number } | undefined>;
  /** Removing what is gone is no error. */
  remove(id: string): Promise<void>;
  /** Ids of all that have a file. */
  list(): Promise<string[]>;
}

/** Files in a folder of this machine; the folder is made when it is not there. */
export async function openUploadFiles(folder: string, room?: DiskRoom): Promise<UploadFiles> {
  await mkdir(folder, { recursive: true, mode: 0o700 });
  return toUploadFiles(folder, room);
}

/** The same where the folder is there, or never needed. */
export function toUploadFiles(folder: string, room: DiskRoom = createDiskRoom()): UploadFiles {
  const toPath = (id: string) => join(folder, id);
  const findStats = (id: string) =>
    stat(toPath(id)).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return undefined;
      throw error;
    });
  return {
    folder,
    locks: createUploadLocks(),
    room,
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
