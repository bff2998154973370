import { clear, createStore, del, get, keys, set } from 'idb-keyval';
import { RESUMABLE_AGE_MS_MAX } from '../../contract/resumable-uploads.ts';
import type { UploadStanding } from '../api/upload-resumable.ts';

/**
 * Resumable state of an upload: a note in local storage, which every tab reads synchronously, and the file in
 * IndexedDB, which may have no room for it. A note without its file still knows the progress.
 */
export interface KeptUpload {
  readonly key: string;
  /** Only this member ever sees it. */
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

/** Writes or updates a note. Does nothing if storage is denied or full. */
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

/** Whether any upload is stored that could resume. */
export function hasKept(nowMs: number): boolean {
  return listKeys().some((key) => isFresh(findKept(key), nowMs));
}

/** A member's uploads, oldest first. Drops notes of other members and expired ones. */
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

/** Stores the file of an existing note; false if the browser refuses. */
export async function keepFile(key: string, file: File): Promise<boolean> {
  try {
    if (findKept(key) === undefined) return false;
    await set(key, file, files());
    // The note was dropped meanwhile, before the file was written.
    if (findKept(key) !== undefined) return true;
    await del(key, files());
  } catch {
    // No room, no Blobs in a private window, or no database at all.
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
    // Storage is denied, so nothing is stored.
  }
}

/** Deletes all stored uploads, of every tab. */
export async function dropAllKept(): Promise<void> {
  try {
    for (const key of listKeys()) localStorage.removeItem(PREFIX + key);
    await clear(files());
  } catch {
    // Storage is denied, so nothing is stored.
  }
}

/** Reports notes that other tabs write and delete. */
export function watchKept(onChange: (key: string) => void): void {
  window.addEventListener('storage', ({ key }) => {
    if (key?.startsWith(PREFIX)) onChange(key.slice(PREFIX.length));
  });
}

/** Files without a note: their tab was closed between the two writes. */
async function dropStrays(): Promise<void> {
  try {
    for (const key of await keys(files())) {
      if (findKept(String(key)) === undefined) await del(key, files());
    }
  } catch {
    // Storage is denied, so nothing is stored.
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

/** Storage is untrusted. */
function isKeptUpload(value: unknown): value is KeptUpload {
  if (typeof value !== 'object' || value === null) return false;
  const { key, memberId, typeId, name, sizeBytes, lastModified, chosenAtMs, standing } = value as KeptUpload;
  return (
    [key, memberId, typeId, name, standing?.uploadId].every((text) => typeof text === 'string') &&
    [sizeBytes, lastModified, chosenAtMs, standing?.takenBytes].every(Number.isFinite)
  );
}
