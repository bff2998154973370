import * as v from 'valibot';
import { describeUnsupported } from '../../../contract/sounds/audio-formats.ts';
import { ApiError } from '../../../contract/calls/errors.ts';
import { uploadSound } from '../../../contract/sounds/my-sounds.ts';
import { lenient } from '../../api/lenient.ts';
import { type UploadStanding, sendResumable } from '../../api/upload-resumable.ts';
import { uploadForm } from '../../api/upload.ts';
import { findUnsupportedFormat } from './audio-format.ts';
import { isReadable, withSpecType } from '../../lib/audio-files-check.ts';
import { toErrorMessages } from '../../lib/error-messages.ts';
import { canPlayFile } from '../my-sounds/my-sounds.ts';
import { type PauseCause, createRetryPolicy, waitForRetry } from './retry-policy.ts';

export interface Delivery {
  readonly file: File;
  readonly typeId: string;
  readonly signal: AbortSignal;
  /** The host's state of it; null: this host accepts a file only in one request. */
  readonly standing: UploadStanding | null;
  onStanding(standing: UploadStanding): void;
  onProgress(sentBytes: number): void;
  onPause(cause: PauseCause): void;
  /** Called before the upload counts as delivered; undefined if the host does not say which sound it became. */
  onSound(soundId: string | undefined): Promise<void>;
}

export interface DeliveryFailure {
  readonly reasons: readonly string[];
  /** `final`: the same file would be refused again. `unreadable`: the browser can no longer read the file. */
  readonly kind: 'final' | 'passing' | 'unreadable';
}

export const NOTHING_SENT: UploadStanding = { uploadId: '', takenBytes: 0 };
const UNREADABLE = 'ファイルを読み込めませんでした。移動や変更をしていないか確かめて、選び直してください。';
const UNPLAYABLE = '音声として再生できませんでした。ファイルが壊れていないか確かめてください。';
/** The upload is gone or has another offset; asking for the offset resolves both. */
const OFFSET_STATUSES: readonly number[] = [404, 409, 410];

/** Uploads a file as a sound. Returns why it failed, or null on success. Throws only when aborted. */
export async function deliver(delivery: Delivery): Promise<DeliveryFailure | null> {
  const { file, standing, signal } = delivery;
  if (!(await isReadable(file))) return { reasons: [UNREADABLE], kind: 'unreadable' };
  if (!standing?.uploadId && !(await canPlayFile(file))) {
    const format = await findUnsupportedFormat(file);
    return { reasons: [format === undefined ? UNPLAYABLE : describeUnsupported(format)], kind: 'final' };
  }
  try {
    await (standing ? deliverInPieces(delivery, standing) : deliverInOneRequest(delivery));
    return null;
  } catch (error) {
    signal.throwIfAborted();
    // Browsers report an unreadable file like a lost connection.
    if (!(await isReadable(file))) return { reasons: [UNREADABLE], kind: 'unreadable' };
    return { reasons: toErrorMessages(error), kind: isFinal(error) ? 'final' : 'passing' };
  }
}

async function deliverInPieces(delivery: Delivery, begun: UploadStanding): Promise<void> {
  const { file, signal } = delivery;
  const retryPolicy = createRetryPolicy();
  let standing = begun;
  let hasRestarted = false;
  const onStanding = (next: UploadStanding) => {
    if (next.takenBytes > standing.takenBytes) retryPolicy.reset();
    standing = next;
    delivery.onStanding(next);
  };
  for (;;) {
    try {
      if (standing.takenBytes < file.size) {
        const { uploadId } = standing;
        await sendResumable(file, { uploadId, signal, onStanding, onProgress: delivery.onProgress });
      }
      delivery.onProgress(file.size);
      await finish(delivery, standing.uploadId);
      return;
    } catch (error) {
      signal.throwIfAborted();
      const status = error instanceof ApiError ? error.status : undefined;
      const isFinishing = standing.takenBytes >= file.size;
      if (isFinishing && (status === 404 || isAboutFile(error))) {
        // The host has already removed the upload.
        onStanding(NOTHING_SENT);
        if (status === 404 && !hasRestarted) {
          hasRestarted = true;
          continue;
        }
        throw error;
      }
      // It may not be complete after all: the next attempt asks.
      if (isFinishing && status === 409) onStanding({ ...standing, takenBytes: 0 });
      const pause = retryPolicy.toPause(
        error,
        isFinishing || standing.uploadId === '' ? [] : OFFSET_STATUSES,
      );
      if (pause === null || !(await isReadable(file))) throw error;
      delivery.onPause(pause.cause);
      await waitForRetry(pause, signal);
    }
  }
}

/** A repeated call returns the same sound, so a lost answer does no harm. */
async function finish({ file, typeId, signal, onSound }: Delivery, uploadId: string): Promise<void> {
  const form = toForm(file, typeId);
  form.set('upload', uploadId);
  await onSound(toSoundId(await uploadForm(uploadSound, form, { signal })));
}

async function deliverInOneRequest({ file, typeId, signal, onProgress, onSound }: Delivery): Promise<void> {
  const form = toForm(file, typeId);
  form.set('file', withSpecType(file));
  const reply = await uploadForm(uploadSound, form, {
    signal,
    onProgress: (share) => onProgress(Math.round(share * file.size)),
  });
  await onSound(toSoundId(reply));
}

function toSoundId(reply: unknown): string | undefined {
  const { sound } = v.parse(lenient(uploadSound.reply), reply);
  return sound?.id;
}

/** Text fields first: a host may need them before it reads the file. */
function toForm(file: File, typeId: string): FormData {
  const form = new FormData();
  form.set('types', typeId);
  form.set('filename', file.name);
  return form;
}

/** A refused file: our host deletes its upload (`contract/sounds/resumable-uploads.ts`). */
function isAboutFile(error: unknown): boolean {
  return error instanceof ApiError && error.status === 400 && error.fields.some(({ key }) => key === 'file');
}

/** Refusals of the file are final; refusals because of the member, disk room or time may change. */
function isFinal(error: unknown): boolean {
  return error instanceof ApiError && [400, 413, 415, 422].includes(error.status);
}
