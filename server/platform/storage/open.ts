import type { DiskSpace } from './disk-space.ts';
import { openFolderStorage } from './folder.ts';
import type { Storage, StorageLocation } from './port.ts';

/** Opens the storage that the settings name. */
export async function openStorage(storage: StorageLocation, space?: DiskSpace): Promise<Storage> {
  if (storage.kind === 'folder') return openFolderStorage(storage.path, Date.now, space);
  throw new Error(
    'STORAGE_URL: S3-compatible storage comes in a later version; leave it empty for a folder.',
  );
}
