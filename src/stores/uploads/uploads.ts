import { AUDIO_PROBLEM, isAudioFile } from '../../../contract/sounds/audio-files.ts';
import { createRandomId } from '../../browser/random-id.ts';
import { deleteResumable } from '../../api/upload-resumable.ts';
import { findAudioSizeProblem } from '../../lib/audio-files-check.ts';
import { showAlert } from '../overlays/overlays.ts';
import { refreshSounds } from '../my-sounds/my-sounds.ts';
import { claimUpload } from './claim.ts';
import { NOTHING_SENT } from './delivery.ts';
import { WAITING, dropUpload, enqueueUpload, findUpload, persistUpload, uploadJobs } from './queue.ts';
import { chooseAgain, findMissing, findResumingMember } from './resumption.ts';
import { sendNext } from './sending.ts';

export {
  $finishedUpload,
  $isUploading,
  $uploads,
  findUpload,
  hasUnsafeUploads,
  prepareUpload,
} from './queue.ts';
export type { SoundUpload, UploadProgress } from './queue.ts';
export { chooseAgain, openUploads } from './resumption.ts';
export type { PauseCause } from './retry-policy.ts';
export { retryAllUploads, retryUpload } from './sending.ts';

/** Files chosen together keep their order after a reload. */
let lastChosenAtMs = 0;

/** Adds files to the queue; an alert names those that are not audio by name and type (spec §8). */
export function addUploads(files: readonly File[], typeId: string): void {
  const others = files.filter((file) => !isAudioFile(file));
  if (others.length > 0) showAlert(toAlert(others, files.length));
  for (const file of files.filter(isAudioFile)) {
    const missing = findMissing(file, typeId);
    if (missing === undefined) add(file, typeId);
    else chooseAgain(missing, file);
  }
  sendNext();
}

/** Removes a file from the queue and cancels its upload. */
export function cancelUpload(id: string): void {
  const upload = findUpload(id);
  if (!upload) return;
  const uploadId = uploadJobs.get(id)?.stored?.standing.uploadId;
  dropUpload(id);
  // If this call fails, the host removes the upload itself within a day.
  if (uploadId) void deleteResumable(uploadId).catch(() => undefined);
  // All bytes had been sent: the host may have accepted the file anyway.
  if (upload.progress.state === 'sending' && upload.progress.sentBytes === upload.sizeBytes) {
    refreshSounds(upload.typeId);
  }
  sendNext();
}

function add(file: File, typeId: string): void {
  const id = createRandomId();
  const { name, size: sizeBytes, lastModified } = file;
  const problem = findAudioSizeProblem(file);
  const job = enqueueUpload(
    { id, name, sizeBytes, typeId },
    problem === null ? WAITING : { state: 'failed', reasons: [problem], canRetry: false },
  );
  job.file = file;
  const memberId = findResumingMember();
  if (memberId === null || problem !== null) return;
  lastChosenAtMs = Math.max(Date.now(), lastChosenAtMs + 1);
  const chosenAtMs = lastChosenAtMs;
  job.stored = {
    key: id,
    memberId,
    typeId,
    name,
    sizeBytes,
    lastModified,
    chosenAtMs,
    standing: NOTHING_SENT,
  };
  // Other tabs are informed once this tab holds the upload.
  void claimUpload(id, job.controller.signal, () => undefined).then(
    () => persistUpload(id, job),
    () => undefined,
  );
}

/** A single refused file needs no name; among several, the refused ones are named. */
function toAlert(refused: readonly File[], chosen: number): string {
  return chosen === 1 ? AUDIO_PROBLEM : [AUDIO_PROBLEM, '', ...refused.map(({ name }) => name)].join('\n');
}
