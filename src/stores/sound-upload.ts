import { atom, computed } from 'nanostores';
import { AUDIO_PROBLEM, isAudioFile } from '../../contract/audio-files.ts';
import { uploadSound } from '../../contract/own-sounds.ts';
import { uploadForm } from '../api/upload.ts';
import { canPlayFile } from './own-sounds-playable.ts';
import { findAudioSizeProblem, isReadable } from '../lib/audio-files-check.ts';
import { toErrorMessages } from '../lib/error-messages.ts';
import { createSpeedometer } from './own-sounds-speed.ts';
import { showAlert } from './alerts.ts';
import { refreshSounds } from './own-sounds.ts';
import { $session } from './session.ts';
import { showToast } from './toasts.ts';

export type UploadProgress =
  | { readonly state: 'waiting' }
  /** Once all bytes have left, the host is at work. `bytesPerSec` is null while it is not known. */
  | { readonly state: 'sending'; readonly sentBytes: number; readonly bytesPerSec: number | null }
  | { readonly state: 'failed'; readonly reasons: readonly string[]; readonly canRetry: boolean };

/** A file on its way to become a sound of a type. One that has arrived is no longer listed. */
export interface SoundUpload {
  readonly id: number;
  readonly file: File;
  readonly typeId: string;
  readonly progress: UploadProgress;
}

/** More at once only slow one another down. */
const AT_ONCE = 2;
const WAITING: UploadProgress = { state: 'waiting' };

export const $uploads = atom<readonly SoundUpload[]>([]);
/** Whether leaving the page would stop something. */
export const $isUploading = computed($uploads, (uploads) =>
  uploads.some(({ progress }) => progress.state !== 'failed'),
);

const aborts = new Map<number, AbortController>();
let lastId = 0;

$session.listen(({ isAuthenticated }) => {
  if (!isAuthenticated) for (const { id } of $uploads.get()) drop(id);
});

/** Puts files into the queue; those that are no audio by name and type are told of by an alert (spec §8). */
export function addUploads(files: readonly File[], typeId: string): void {
  const others = files.filter((file) => !isAudioFile(file));
  if (others.length > 0) showAlert(toAlert(others, files.length));
  const uploads = files.filter(isAudioFile).map((file): SoundUpload => {
    const problem = findAudioSizeProblem(file);
    const progress: UploadProgress =
      problem === null ? WAITING : { state: 'failed', reasons: [problem], canRetry: false };
    return { id: (lastId += 1), file, typeId, progress };
  });
  $uploads.set([...$uploads.get(), ...uploads]);
  sendNext();
}

/** Takes a file out of the queue; stops sending it when that is under way. */
export function cancelUpload(id: number): void {
  const known = find(id);
  if (!known) return;
  drop(id);
  // All of it had left: the host may have taken it all the same.
  if (known.progress.state === 'sending' && known.progress.sentBytes === known.file.size) {
    refreshSounds(known.typeId);
  }
  sendNext();
}

export function retryUpload(id: number): void {
  const progress = find(id)?.progress;
  if (progress?.state !== 'failed' || !progress.canRetry) return;
  change(id, WAITING);
  sendNext();
}

export function retryAllUploads(): void {
  for (const { id } of $uploads.get()) retryUpload(id);
}

function sendNext(): void {
  for (const upload of $uploads.get()) {
    if (aborts.size >= AT_ONCE) return;
    if (upload.progress.state === 'waiting') void send(upload);
  }
}

async function send({ id, file, typeId }: SoundUpload): Promise<void> {
  const abort = new AbortController();
  const { signal } = abort;
  aborts.set(id, abort);
  const note = createSpeedometer();
  const follow = (share: number) => {
    if (signal.aborted) return;
    const sentBytes = Math.round(share * file.size);
    change(id, { state: 'sending', sentBytes, bytesPerSec: note(sentBytes) });
  };
  follow(0);
  const reasons = await deliver(file, typeId, signal, follow);
  if (signal.aborted) return;
  aborts.delete(id);
  if (reasons.length > 0) change(id, { state: 'failed', reasons, canRetry: true });
  else {
    drop(id);
    showToast('success', 'サウンドがアップロードされました');
    refreshSounds(typeId);
  }
  sendNext();
}

/** Sends a file, and says why it did not arrive; [] when it did. */
async function deliver(
  file: File,
  typeId: string,
  signal: AbortSignal,
  onProgress: (share: number) => void,
): Promise<readonly string[]> {
  if (!(await isReadable(file))) {
    return ['ファイルを読み込めませんでした。移動や変更をしていないか確かめて、選び直してください。'];
  }
  if (!(await canPlayFile(file))) {
    return ['音声として再生できませんでした。ファイルが壊れていないか確かめてください。'];
  }
  const form = new FormData();
  // Texts first: a host may want to know what it gets before it reads the file.
  form.set('types', typeId);
  form.set('filename', file.name);
  form.set('file', file);
  try {
    await uploadForm(uploadSound, form, { signal, onProgress });
    return [];
  } catch (error) {
    return toErrorMessages(error);
  }
}

function find(id: number): SoundUpload | undefined {
  return $uploads.get().find((upload) => upload.id === id);
}

function change(id: number, progress: UploadProgress): void {
  $uploads.set($uploads.get().map((upload) => (upload.id === id ? { ...upload, progress } : upload)));
}

function drop(id: number): void {
  aborts.get(id)?.abort();
  aborts.delete(id);
  $uploads.set($uploads.get().filter((upload) => upload.id !== id));
}

/** Of one file it is known which it is; of many, those that cannot be taken are named. */
function toAlert(refused: readonly File[], chosen: number): string {
  return chosen === 1 ? AUDIO_PROBLEM : [AUDIO_PROBLEM, '', ...refused.map(({ name }) => name)].join('\n');
}
