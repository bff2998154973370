import { Problem, notFound } from '../../../platform/http/http.ts';
import type { Platform } from '../../../platform/http/http.ts';
import type { WaveformDeps } from '../waveforms.ts';
import { startReading } from '../waveforms.ts';
import { uploadSound } from '../upload.ts';
import type { FileDeps } from '../files.ts';
import { requireUpload } from './own-uploads.ts';
import type { UploadDeps } from './own-uploads.ts';
import { deleteUnfinished, findUpload, linkSound } from './queries.ts';
import type { UploadRow } from './queries.ts';

type CreationDeps = UploadDeps & FileDeps & WaveformDeps & Pick<Platform, 'backgroundJobs'>;

export interface FinishedUpload {
  readonly uploadId: string;
  readonly artistId: string;
  /** A sound type's id. */
  readonly type: string;
  /** Safe for display. */
  readonly filename: string;
}

/**
 * Creates a private sound from an upload and returns its id; for an upload that already became a sound, returns that
 * id. Throws `Problem`: 404 when the artist has no such upload, 409 when it is incomplete, and what `uploadSound`
 * throws. An upload with an unsupported file is removed.
 */
export async function createSoundFromUpload(deps: CreationDeps, upload: FinishedUpload): Promise<string> {
  const { uploadId, artistId } = upload;
  const known = await findCreatedSound(deps, await requireUpload(deps, uploadId, artistId));
  if (known !== undefined) return known;
  return deps.uploadFiles.locks.withLock(uploadId, async () => {
    // Another call may have finished while this one waited.
    const made = await findCreatedSound(deps, await requireUpload(deps, uploadId, artistId));
    return made ?? createSound(deps, upload);
  });
}

/** The sound made of an upload; undefined when the upload is ready but unused. Throws `Problem`. */
async function findCreatedSound({ uploadFiles }: CreationDeps, row: UploadRow): Promise<string | undefined> {
  if (row.sound_id !== null) return row.sound_id;
  const receivedBytes = await uploadFiles.findSize(row.id);
  if (receivedBytes === undefined) throw notFound();
  if (receivedBytes < row.size_bytes) {
    throw new Problem(409, { upload: 'アップロードがまだ終わっていません。' });
  }
  return undefined;
}

async function createSound(deps: CreationDeps, { uploadId, ...upload }: FinishedUpload): Promise<string> {
  const { db } = deps.database;
  try {
    const sound = await uploadSound(deps, {
      ...upload,
      file: { path: deps.uploadFiles.toPath(uploadId) },
      async note(transaction, soundId) {
        if (!(await linkSound(transaction, uploadId, soundId))) throw notFound();
      },
    });
    await removeBytes(deps, uploadId);
    startReading(deps, sound);
    return sound.id;
  } catch (error) {
    // Another process may have been faster, which makes its file a duplicate here.
    const made = (await findUpload(db, uploadId))?.sound_id ?? undefined;
    if (made !== undefined) return made;
    if (isAboutFile(error)) {
      await deleteUnfinished(db, uploadId);
      await removeBytes(deps, uploadId);
    }
    throw error;
  }
}

function isAboutFile(error: unknown): boolean {
  return error instanceof Problem && error.status === 400 && 'file' in error.fields;
}

/** Failures are retried later by the sweep. */
async function removeBytes({ uploadFiles, logger }: CreationDeps, id: string): Promise<void> {
  await uploadFiles.remove(id).catch((error: unknown) => {
    logger.error({ err: error, upload: id }, 'failed to delete the file of an upload');
  });
}
