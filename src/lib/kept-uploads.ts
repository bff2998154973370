import { clear, createStore, del, get, keys, set } from 'idb-keyval';
import { RESUMABLE_AGE_MS_MAX } from '../../contract/resumable-uploads.ts';
import type { UploadStanding } from '../api/upload-resumable.ts';

/**
 * What outlives its page of an upload: a note in local storage, which every tab reads at once, and the
 * file in IndexedDB, which may have no room for it. A note without its file still knows how far it is.
 */
export interface KeptUpload {
  readonly key: string;
  /** Nobody else is ever shown it. */
  readonly memberId: string;
  readonly typeId: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly lastModified: number;
  readonly chosenAtMs: number;
  readonly standing: UploadStanding;
}

const PREFIX = 'upload:';
let opened: ReturnType<typeof createStore> | undefined;
const files = () => (opened ??= createStore('uploads', 'files'));

/** Writes a note, or what is new of it. Where storage is forbidden or full, there is none. */
export function noteUpload(upload: KeptUpload): void {
  try {
    localStorage.setItem(PREFIX + upload.key, JSON.stringify(upload));
  } catch {
    // Then this upload ends with its page.
  }
}

export function findKept(key: string): KeptUpload | undefined {
  try {
    const note = JSON.parse(localStorage.getItem(PREFIX + key) ?? 'null') as unknown;
    return isKeptUpload(note) && note.key === key ? note : undefined;
  } catch {
    return undefined;
  }
}

/** Whether anything is kept that could still go on. */
export function hasKept(nowMs: number): boolean {
  return listKeys().some((key) => isFresh(findKept(key), nowMs));
}

/** A member's uploads, the oldest first. What is anybody else's, or too old, is dropped on the way. */
export function listKept(memberId: string, nowMs: number): KeptUpload[] {
  const uploads: KeptUpload[] = [];
  for (const key of listKeys()) {
    const upload = findKept(key);
    if (isFresh(upload, nowMs) && upload.memberId === memberId) uploads.push(upload);
    else void dropKept(key);
  }
  void dropStrays();
  return uploads.sort((one, other) => one.chosenAtMs - other.chosenAtMs);
}

/** Keeps the file of a note that has been written; false: the browser would not. */
export async function keepFile(key: string, file: File): Promise<boolean> {
  try {
    if (findKept(key) === undefined) return false;
    await set(key, file, files());
    // Whoever dropped the note meanwhile did not know of the file.
    if (findKept(key) !== undefined) return true;
    await del(key, files());
  } catch {
    // No room, no Blobs in a private window, no database at all.
  }
  return false;
}

export async function readKeptFile(key: string): Promise<File | undefined> {
  try {
    const file: unknown = await get(key, files());
    return file instanceof File ? file : undefined;
  } catch {
    return undefined;
  }
}

export async function dropKept(key: string): Promise<void> {
  try {
    localStorage.removeItem(PREFIX + key);
    await del(key, files());
  } catch {
    // Where nothing can be kept, nothing has to be dropped.
  }
}

/** Leaves nothing behind, whatever tab it belongs to. */
export async function dropAllKept(): Promise<void> {
  try {
    for (const key of listKeys()) localStorage.removeItem(PREFIX + key);
    await clear(files());
  } catch {
    // As above.
  }
}

/** Hears of notes that other tabs write and drop. */
export function watchKept(onChange: (key: string) => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key?.startsWith(PREFIX)) onChange(key.slice(PREFIX.length));
  });
}

/** Files whose note is gone: their tab was closed between the two. */
async function dropStrays(): Promise<void> {
  try {
    for (const key of await keys(files())) {
      if (findKept(String(key)) === undefined) await del(key, files());
    }
  } catch {
    // As above.
  }
}

function listKeys(): string[] {
  try {
    return Object.keys(localStorage)
      .filter((key) => key.startsWith(PREFIX))
      .map((key) => key.slice(PREFIX.length));
  } catch {
    return [];
  }
}

function isFresh(upload: KeptUpload | undefined, nowMs: number): upload is KeptUpload {
  return upload !== undefined && nowMs - upload.chosenAtMs < RESUMABLE_AGE_MS_MAX;
}

/** Anybody may have written there. */
function isKeptUpload(value: unknown): value is KeptUpload {
  if (typeof value !== 'object' || value === null) return false;
  const { key, memberId, typeId, name, sizeBytes, lastModified, chosenAtMs, standing } = value as KeptUpload;
  return (
    [key, memberId, typeId, name, standing?.uploadId].every((text) => typeof text === 'string') &&
    [sizeBytes, lastModified, chosenAtMs, standing?.takenBytes].every(Number.isFinite)
  );
}
