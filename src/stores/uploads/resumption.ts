import { loadResumable } from '../../api/upload-resumable.ts';
import { isExtended } from '../../browser/extended-host.ts';
import { onPage } from '../../browser/page-cache.ts';
import { formatBytes } from '../../lib/format.ts';
import { refreshSounds } from '../my-sounds/my-sounds.ts';
import { memberAtom } from '../shared/member-atom.ts';
import { claimUpload } from './claim.ts';
import {
  type StoredUpload,
  findStoredUpload,
  listStoredUploads,
  readStoredFile,
  watchStoredUploads,
} from '../../api/stored-uploads.ts';
import {
  type SoundUpload,
  type UploadJob,
  WAITING,
  $uploads,
  enqueueUpload,
  findUpload,
  persistUpload,
  removeUpload,
  renewJob,
  showProgress,
  uploadJobs,
} from './queue.ts';
import { sendNext } from './sending.ts';

/** Restarts each upload when this page comes back. */
let suspended: (() => void)[] = [];

/** The member whose uploads can resume after their page; null if the host accepts a file only in one request. */
const $memberId = memberAtom<string | null>(null);

if (typeof window !== 'undefined') {
  watchStoredUploads(followOtherTab);
  onPage('hide', suspendUploads);
  onPage('show', continueUploads);
}

/** Resumes uploads of an earlier visit. */
export function openUploads({ id, canUpload }: { readonly id: string; readonly canUpload: boolean }): void {
  const memberId = isExtended() && id !== '' ? id : null;
  $memberId.set(memberId);
  if (memberId === null || !canUpload) return;
  loadResumable();
  for (const stored of listStoredUploads(memberId, Date.now())) void resumeUpload(stored);
}

/** The owner of a new resumable upload; null if uploads cannot be resumed. */
export function findResumingMember(): string | null {
  return $memberId.get();
}

/** Accepts the chosen file for an upload whose stored file is missing; any other file is refused. */
export function chooseAgain(id: string, file: File): void {
  const progress = findUpload(id)?.progress;
  const job = uploadJobs.get(id);
  if (progress?.state !== 'missing' || !job?.stored) return;
  if (!isFileOf(job.stored, file)) {
    showProgress(id, { ...progress, problem: toDifference(job.stored, file) });
    return;
  }
  job.file = file;
  persistUpload(id, job);
  showProgress(id, WAITING);
  sendNext();
}

/** The upload of a type that waits for exactly this file. */
export function findMissing(file: File, typeId: string): string | undefined {
  for (const [id, { stored }] of uploadJobs) {
    const isMissing = findUpload(id)?.progress.state === 'missing';
    if (isMissing && stored?.typeId === typeId && isFileOf(stored, file)) return id;
  }
  return undefined;
}

/** A frozen page sends nothing, and must not prevent other pages from sending. */
function suspendUploads(): void {
  suspended = $uploads.get().flatMap(({ id, progress }) => {
    const job = uploadJobs.get(id);
    if (!job || progress.state === 'failed') return [];
    const { file, stored } = job;
    const next = renewJob(id, job);
    // Without a stored entry, no other page can have continued.
    if (stored === null || findStoredUpload(id) === undefined) return [() => showProgress(id, WAITING)];
    next.file = null;
    return [
      () => {
        showProgress(id, WAITING);
        void continueUpload(stored, next, file);
      },
    ];
  });
}

function continueUploads(): void {
  for (const start of suspended.splice(0)) start();
  sendNext();
}

/** Resumes an upload of an earlier page. */
async function resumeUpload(stored: StoredUpload): Promise<void> {
  const { key: id, name, sizeBytes, typeId, prepared } = stored;
  if (uploadJobs.has(id)) return;
  const job = enqueueUpload({ id, name, sizeBytes, typeId, prepared }, WAITING);
  job.isSafe = true;
  await continueUpload(stored, job);
}

/** Resumes an upload as soon as no other tab holds it, with its file or the stored one. */
async function continueUpload(
  { key: id, typeId, standing }: StoredUpload,
  job: UploadJob,
  chosen: File | null = null,
): Promise<void> {
  const { signal } = job.controller;
  try {
    await claimUpload(id, signal, () =>
      showProgress(id, { state: 'other-tab', sentBytes: standing.takenBytes }),
    );
  } catch {
    return;
  }
  // It may have progressed or finished meanwhile.
  const left = findStoredUpload(id);
  const file = left && (chosen ?? (await readStoredFile(id)));
  if (signal.aborted) return;
  if (!left) {
    finishOtherTab({ id, typeId });
    return;
  }
  job.stored = left;
  if (!file) job.isSafe = false;
  job.file = file ?? null;
  showProgress(id, file ? WAITING : { state: 'missing', sentBytes: left.standing.takenBytes, problem: null });
  sendNext();
}

function followOtherTab(id: string): void {
  const stored = findStoredUpload(id);
  const upload = findUpload(id);
  const isInOtherTab = upload?.progress.state === 'other-tab';
  if (stored === undefined) {
    if (isInOtherTab) finishOtherTab(upload);
  } else if (stored.memberId !== $memberId.get()) {
    return;
  } else if (upload === undefined) {
    void resumeUpload(stored);
  } else if (isInOtherTab) {
    showProgress(id, { state: 'other-tab', sentBytes: stored.standing.takenBytes });
  }
}

/** The other tab has deleted its stored entry: the sound exists, or the host has refused it. */
function finishOtherTab({ id, typeId }: Pick<SoundUpload, 'id' | 'typeId'>): void {
  removeUpload(id);
  refreshSounds(typeId);
  sendNext();
}

function isFileOf({ name, sizeBytes, lastModified }: StoredUpload, file: File): boolean {
  return file.name === name && file.size === sizeBytes && file.lastModified === lastModified;
}

function toDifference({ name, sizeBytes }: StoredUpload, file: File): string {
  return file.name === name
    ? '名前は同じですが、内容が前と違うため続きを送れません。このファイルを送るには、この行を消してから新しくアップロードしてください。'
    : `別のファイルです。「${name}」（${formatBytes(sizeBytes)}）を選んでください。`;
}
