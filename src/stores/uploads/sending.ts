import { createSpeedometer, refreshSounds, sendSoundValues } from '../my-sounds/my-sounds.ts';
import { isReadable } from '../../lib/audio-files-check.ts';
import { type DeliveryFailure, deliver } from './delivery.ts';
import { toErrorMessages } from '../../lib/error-messages.ts';
import { readStoredFile } from '../../api/stored-uploads.ts';
import { attempt } from '../shared/attempt.ts';
import {
  $finishedUpload,
  $uploads,
  type UploadJob,
  WAITING,
  dropUpload,
  findUpload,
  deleteStoredData,
  storeStanding,
  showProgress,
  uploadJobs,
} from './queue.ts';
import { showToast } from '../overlays/overlays.ts';

/** More uploads in parallel only slow one another down. */
const CONCURRENCY_MAX = 2;

/** Starts as many uploads as may run in parallel. */
export function sendNext(): void {
  for (const { id, typeId, progress } of $uploads.get()) {
    if ([...uploadJobs.values()].filter(({ isSending }) => isSending).length >= CONCURRENCY_MAX) return;
    const job = uploadJobs.get(id);
    if (progress.state === 'waiting' && job?.file) void send(id, typeId, job, job.file);
  }
}

export function retryUpload(id: string): void {
  const progress = findUpload(id)?.progress;
  if (progress?.state !== 'failed' || !progress.canRetry) return;
  showProgress(id, WAITING);
  sendNext();
}

export function retryAllUploads(): void {
  for (const { id } of $uploads.get()) retryUpload(id);
}

async function send(id: string, typeId: string, job: UploadJob, file: File): Promise<void> {
  const { signal } = job.controller;
  const standing = job.stored?.standing ?? null;
  let sentBytes = standing?.takenBytes ?? 0;
  let measure = createSpeedometer();
  // For resumable uploads, the starting offset comes from the host.
  if (standing === null) measure(0);
  job.isSending = true;
  showProgress(id, { state: 'sending', sentBytes, bytesPerSec: null });
  const failure = await deliver({
    file,
    typeId,
    signal,
    standing,
    onProgress(bytes) {
      sentBytes = bytes;
      if (!signal.aborted) showProgress(id, { state: 'sending', sentBytes, bytesPerSec: measure(sentBytes) });
    },
    onStanding(standing) {
      sentBytes = standing.takenBytes;
      storeStanding(job, standing);
    },
    onSound: (soundId) => applyPrepared(id, soundId),
    onPause(cause) {
      // The speed before the pause says nothing about the speed after it. The next answer reports how much has arrived.
      measure = createSpeedometer();
      showProgress(id, { state: 'paused', sentBytes, cause });
    },
  }).catch((error: unknown): DeliveryFailure => ({ kind: 'passing', reasons: toErrorMessages(error) }));
  if (signal.aborted) return;
  job.isSending = false;
  if (failure?.kind === 'unreadable' && job.stored) {
    await continueWithStoredFile(id, job, failure);
    if (signal.aborted) return;
  } else if (failure) {
    const isFinal = failure.kind === 'final';
    if (isFinal) deleteStoredData(id, job);
    showProgress(id, { state: 'failed', reasons: failure.reasons, canRetry: !isFinal });
  } else {
    dropUpload(id);
    showToast('success', 'サウンドがアップロードされました');
    refreshSounds(typeId);
  }
  sendNext();
}

/** Saves the prepared values to the new sound. Never throws: the sound exists in any case. */
async function applyPrepared(uploadId: string, soundId: string | undefined): Promise<void> {
  const upload = findUpload(uploadId);
  if (soundId === undefined || upload === undefined) return;
  const { prepared, name } = upload;
  if (prepared !== undefined && Object.keys(prepared).length > 0) {
    await attempt(async (signal) => {
      const { refused } = await sendSoundValues([{ id: soundId, values: prepared }], signal);
      for (const { reason } of refused) showToast('error', `${name}：${reason}`);
    });
  }
  $finishedUpload.set({ uploadId, soundId });
}

/** The file was moved or changed, but the browser may have a stored copy; otherwise it must be chosen again. */
async function continueWithStoredFile(
  id: string,
  job: UploadJob,
  { reasons }: DeliveryFailure,
): Promise<void> {
  const stored = await readStoredFile(id);
  const file = stored && (await isReadable(stored)) ? stored : null;
  if (job.controller.signal.aborted) return;
  job.file = file;
  job.isSafe = file !== null;
  const sentBytes = job.stored?.standing.takenBytes ?? 0;
  showProgress(id, file ? WAITING : { state: 'missing', sentBytes, problem: reasons.join('\n') });
}
