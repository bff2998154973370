import { computed } from 'nanostores';
import type { UploadStanding } from '../../api/upload-resumable.ts';
import type { SoundValues } from '../my-sounds/my-sounds.ts';
import { memberAtom } from '../shared/member-atom.ts';
import {
  type StoredUpload,
  deleteStoredUpload,
  findStoredUpload,
  storeFile,
  storeUpload,
} from '../../api/stored-uploads.ts';
import type { PauseCause } from './retry-policy.ts';

export type UploadProgress =
  | { readonly state: 'waiting' }
  /** Once all bytes are sent, the host is processing. `bytesPerSec` is null while unknown. */
  | { readonly state: 'sending'; readonly sentBytes: number; readonly bytesPerSec: number | null }
  /** Resumes automatically. */
  | { readonly state: 'paused'; readonly sentBytes: number; readonly cause: PauseCause }
  /** Another tab sends it; if that tab is closed, this one continues. */
  | { readonly state: 'other-tab'; readonly sentBytes: number }
  /** The browser has not stored the file: it has to be chosen again. */
  | { readonly state: 'missing'; readonly sentBytes: number; readonly problem: string | null }
  | { readonly state: 'failed'; readonly reasons: readonly string[]; readonly canRetry: boolean };

/** A file being uploaded as a sound of a type. Finished ones are removed from the list. */
export interface SoundUpload {
  readonly id: string;
  readonly name: string;
  readonly sizeBytes: number;
  readonly typeId: string;
  readonly progress: UploadProgress;
  /** What the sound gets once it exists. */
  readonly prepared?: SoundValues | undefined;
}

/** The part of an upload that is not shown. */
export interface UploadJob {
  readonly controller: AbortController;
  file: File | null;
  /** null: with this host, an upload ends with its page. */
  stored: StoredUpload | null;
  /** Whether leaving the page loses nothing. */
  isSafe: boolean;
  isSending: boolean;
}

export const WAITING: UploadProgress = { state: 'waiting' };
const BUSY_STATES: ReadonlySet<UploadProgress['state']> = new Set(['waiting', 'sending', 'paused']);

/** Stored data stays: an expired session is no request to stop. Logging out drops it in all tabs. */
export const $uploads = memberAtom<readonly SoundUpload[]>([], (uploads) => {
  for (const { id } of uploads) endJob(id);
});
export const $isUploading = computed($uploads, (uploads) => uploads.some(isBusy));
/** The upload that became a sound last. */
export const $finishedUpload = memberAtom<{ readonly uploadId: string; readonly soundId: string } | null>(
  null,
);
export const uploadJobs = new Map<string, UploadJob>();
/** Files are written to the browser's storage one at a time. */
let writing: Promise<void> = Promise.resolve();

/** Whether leaving the page would stop an upload that does not resume at the next visit. */
export function hasUnsafeUploads(): boolean {
  return $uploads.get().some((upload) => isBusy(upload) && uploadJobs.get(upload.id)?.isSafe === false);
}

export function enqueueUpload(upload: Omit<SoundUpload, 'progress'>, progress: UploadProgress): UploadJob {
  const life = new AbortController();
  const job: UploadJob = { controller: life, file: null, stored: null, isSafe: false, isSending: false };
  uploadJobs.set(upload.id, job);
  $uploads.set([...$uploads.get(), { ...upload, progress }]);
  return job;
}

export function findUpload(id: string): SoundUpload | undefined {
  return $uploads.get().find((upload) => upload.id === id);
}

export function showProgress(id: string, progress: UploadProgress): void {
  $uploads.set($uploads.get().map((upload) => (upload.id === id ? { ...upload, progress } : upload)));
}

/** Sets what the sound gets once it exists; false if there is no such upload any more. */
export function prepareUpload(id: string, prepared: SoundValues): boolean {
  const job = uploadJobs.get(id);
  if (job === undefined) return false;
  $uploads.set($uploads.get().map((upload) => (upload.id === id ? { ...upload, prepared } : upload)));
  if (job.stored !== null) {
    job.stored = { ...job.stored, prepared };
    if (findStoredUpload(id) !== undefined) storeUpload(job.stored);
  }
  return true;
}

/** Stops an upload on this page; its stored data stays. */
export function removeUpload(id: string): void {
  endJob(id);
  $uploads.set($uploads.get().filter((upload) => upload.id !== id));
}

/** Ends the work on an upload, and returns the job that continues it. */
export function renewJob(id: string, { file, stored, isSafe }: UploadJob): UploadJob {
  endJob(id);
  const job = { controller: new AbortController(), file, stored, isSafe, isSending: false };
  uploadJobs.set(id, job);
  return job;
}

function endJob(id: string): void {
  uploadJobs.get(id)?.controller.abort();
  uploadJobs.delete(id);
}

/** Stops an upload and deletes its stored data. */
export function dropUpload(id: string): void {
  removeUpload(id);
  void deleteStoredUpload(id);
}

/** Stores what is needed to resume after a reload. */
export function persistUpload(id: string, job: UploadJob): void {
  writing = writing.then(async () => {
    if (job.controller.signal.aborted || job.stored === null || job.file === null) return;
    storeUpload(job.stored);
    job.isSafe = await storeFile(id, job.file);
  });
}

/** The host would refuse it again, so a later visit does not retry. */
export function deleteStoredData(id: string, job: UploadJob): void {
  job.isSafe = false;
  void deleteStoredUpload(id);
}

/** Stores how much the host has received. */
export function storeStanding(job: UploadJob, standing: UploadStanding): void {
  if (job.stored === null || job.controller.signal.aborted) return;
  job.stored = { ...job.stored, standing };
  if (findStoredUpload(job.stored.key) !== undefined) storeUpload(job.stored);
}

function isBusy({ progress }: SoundUpload): boolean {
  return BUSY_STATES.has(progress.state);
}
