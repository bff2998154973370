import { createSpeedometer } from './own-sounds-speed.ts';
import { refreshSounds } from './own-sounds.ts';
import { deliver } from './sound-upload-delivery.ts';
import {
  $uploads,
  type UploadJob,
  WAITING,
  dropUpload,
  findUpload,
  forgetUpload,
  noteStanding,
  showProgress,
  uploadJobs,
} from './sound-upload-queue.ts';
import { showToast } from './toasts.ts';

/** More at once only slow one another down. */
const AT_ONCE = 2;

/** Begins with as many as may be under way at once. */
export function sendNext(): void {
  for (const { id, typeId, progress } of $uploads.get()) {
    if ([...uploadJobs.values()].filter(({ isSending }) => isSending).length >= AT_ONCE) return;
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
  const { signal } = job.life;
  const standing = job.kept?.standing ?? null;
  let takenBytes = standing?.takenBytes ?? 0;
  let note = createSpeedometer();
  // In pieces, it begins with what the host turns out to have.
  if (standing === null) note(0);
  job.isSending = true;
  showProgress(id, { state: 'sending', sentBytes: takenBytes, bytesPerSec: null });
  const failure = await deliver({
    file,
    typeId,
    signal,
    standing,
    onProgress(sentBytes) {
      if (!signal.aborted) showProgress(id, { state: 'sending', sentBytes, bytesPerSec: note(sentBytes) });
    },
    onStanding(standing) {
      takenBytes = standing.takenBytes;
      noteStanding(job, standing);
    },
    onPause(cause) {
      // What was measured before says nothing of the time after.
      note = createSpeedometer();
      showProgress(id, { state: 'paused', sentBytes: takenBytes, cause });
    },
  }).catch(() => null);
  if (signal.aborted) return;
  job.isSending = false;
  if (failure) {
    if (failure.isFinal) forgetUpload(id, job);
    showProgress(id, { state: 'failed', reasons: failure.reasons, canRetry: !failure.isFinal });
  } else {
    dropUpload(id);
    showToast('success', 'サウンドがアップロードされました');
    refreshSounds(typeId);
  }
  sendNext();
}
