import { clear, createStore, del, get, keys, set } from 'idb-keyval';
import { RESUMABLE_AGE_MS_MAX } from '../../contract/sounds/resumable-uploads.ts';
import type { UploadStanding } from './upload-resumable.ts';
import { listStored, readStored, writeStored } from '../browser/stored.ts';

/**
 * Resumable state of an upload: an entry in local storage, which every tab reads synchronously, and the file in
 * IndexedDB, which may have no room for it. An entry without its file still has the progress.
 */
export interface StoredUpload {
  readonly key: string;
  /** Only this member ever sees it. */
  readonly memberId: string;
  readonly typeId: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly lastModified: number;
  readonly chosenAtMs: number;
  readonly standing: UploadStanding;
  /** Data for the sound once it exists. */
  readonly prepared?: object | undefined;
}

/** Stored where the browser takes no files. */
interface FileCopy extends Pick<File, 'name' | 'type' | 'lastModified'> {
  readonly content: ArrayBuffer;
}

const PREFIX = 'upload:';
let opened: ReturnType<typeof createStore> | undefined;
const files = () => (opened ??= createStore('uploads', 'files'));

/** Writes or updates an entry. If storage is full, this upload ends with its page. */
export function storeUpload(upload: StoredUpload): void {
  writeStored(PREFIX + upload.key, upload);
}

export function findStoredUpload(key: string): StoredUpload | undefined {
  return readStored(PREFIX + key, (entry) =>
    isStoredUpload(entry) && entry.key === key ? entry : undefined,
  );
}

/** Whether any upload is stored that could resume. */
export function hasStoredUploads(nowMs: number): boolean {
  return listStored(PREFIX).some((key) => isFresh(findStoredUpload(key), nowMs));
}

/** A member's uploads, oldest first. Drops entries of other members and expired ones. */
export function listStoredUploads(memberId: string, nowMs: number): StoredUpload[] {
  const uploads: StoredUpload[] = [];
  for (const key of listStored(PREFIX)) {
    const upload = findStoredUpload(key);
    if (isFresh(upload, nowMs) && upload.memberId === memberId) uploads.push(upload);
    else void deleteStoredUpload(key);
  }
  void deleteOrphanedFiles();
  return uploads.sort((one, other) => one.chosenAtMs - other.chosenAtMs);
}

/** Stores the file of an existing entry; false if the browser refuses. */
export async function storeFile(key: string, file: File): Promise<boolean> {
  try {
    if (findStoredUpload(key) === undefined) return false;
    await set(key, file, files()).catch(async (error: unknown) => {
      if ((error as Error).name === 'QuotaExceededError') throw error;
      // WebKit refuses files at times, but not their bytes.
      await set(key, await copyFile(file), files());
    });
    // The entry was dropped meanwhile, before the file was written.
    if (findStoredUpload(key) !== undefined) return true;
    await del(key, files());
  } catch {
    // No room, or no database at all.
  }
  return false;
}

export async function readStoredFile(key: string): Promise<File | undefined> {
  try {
    const stored = await get<File | FileCopy>(key, files());
    if (!stored) return undefined;
    // Safari 26.5 sends a file of its storage as an empty one, but not a file made of it.
    const { name, type, lastModified } = stored;
    return new File(['content' in stored ? stored.content : stored], name, { type, lastModified });
  } catch {
    return undefined;
  }
}

async function copyFile(file: File): Promise<FileCopy> {
  const { name, type, lastModified } = file;
  return { content: await file.arrayBuffer(), name, type, lastModified };
}

export async function deleteStoredUpload(key: string): Promise<void> {
  writeStored(PREFIX + key, null);
  try {
    await del(key, files());
  } catch {
    // Storage is denied, so nothing is stored.
  }
}

/** Deletes all stored uploads, of every tab. */
export async function deleteAllStoredUploads(): Promise<void> {
  for (const key of listStored(PREFIX)) writeStored(PREFIX + key, null);
  try {
    await clear(files());
  } catch {
    // Storage is denied, so nothing is stored.
  }
}

/** Reports entries that other tabs write and delete. */
export function watchStoredUploads(onChange: (key: string) => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key?.startsWith(PREFIX)) onChange(key.slice(PREFIX.length));
  });
}

/** Files without an entry: their tab was closed between the two writes. */
async function deleteOrphanedFiles(): Promise<void> {
  try {
    for (const key of await keys(files())) {
      if (findStoredUpload(String(key)) === undefined) await del(key, files());
    }
  } catch {
    // Storage is denied, so nothing is stored.
  }
}

function isFresh(upload: StoredUpload | undefined, nowMs: number): upload is StoredUpload {
  return upload !== undefined && nowMs - upload.chosenAtMs < RESUMABLE_AGE_MS_MAX;
}

function isStoredUpload(value: unknown): value is StoredUpload {
  if (typeof value !== 'object' || value === null) return false;
  const { key, memberId, typeId, name, sizeBytes, lastModified, chosenAtMs, standing } =
    value as StoredUpload;
  return (
    [key, memberId, typeId, name, standing?.uploadId].every((text) => typeof text === 'string') &&
    [sizeBytes, lastModified, chosenAtMs, standing?.takenBytes].every(Number.isFinite)
  );
}
