import { Problem, notFound } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/http/context.ts';
import { MissingObjectError } from '../../../platform/storage/port.ts';
import { startDecoding } from '../decoding.ts';
import type { DecodingDeps } from '../decoding.ts';
import { uploadSound } from '../upload.ts';
import type { UploadLocks } from './locks.ts';
import { endUpload, requireUpload } from './own-uploads.ts';
import { copyPieces, deletePieces } from './pieces.ts';
import type { UploadDeps } from './pieces.ts';
import { findUpload, linkSound, recordActivity } from './queries.ts';
import type { UploadRow } from './queries.ts';

type CreationDeps = UploadDeps &
  DecodingDeps &
  Pick<Platform, 'backgroundJobs' | 'temporaryFiles'> & { readonly locks: UploadLocks };

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
 * id. Throws `Problem`: 404 when the artist has no such upload, 409 when it is incomplete or in use, and what
 * `uploadSound` throws. An upload with an unsupported file, or without its bytes, is removed.
 */
export async function createSoundFromUpload(deps: CreationDeps, upload: FinishedUpload): Promise<string> {
  const { uploadId, artistId } = upload;
  const existing = findCreatedSound(await requireUpload(deps, uploadId, artistId));
  if (existing !== undefined) return existing;
  // Saves the work of repeated calls; those of several processes are decided by `linkSound`.
  return deps.locks.withLock(uploadId, upload, async () => {
    const row = await requireUpload(deps, uploadId, artistId);
    return findCreatedSound(row) ?? createSound(deps, row, upload);
  });
}

/** The sound made of an upload; undefined when the upload is ready but unused. Throws `Problem`. */
function findCreatedSound({ sound_id, received_bytes, size_bytes }: UploadRow): string | undefined {
  if (sound_id !== null) return sound_id;
  if (received_bytes === size_bytes) return undefined;
  throw new Problem(409, { upload: 'アップロードがまだ終わっていません。' });
}

async function createSound(
  deps: CreationDeps,
  row: UploadRow,
  { uploadId, ...upload }: FinishedUpload,
): Promise<string> {
  const { db } = deps.database;
  try {
    await recordActivity(db, uploadId, deps.clock.now());
    const sound = await withCopy(deps, row, (path) =>
      uploadSound(deps, {
        ...upload,
        file: { path },
        async note(transaction, soundId) {
          if (!(await linkSound(transaction, uploadId, soundId))) throw notFound();
        },
      }),
    );
    await deletePieces(deps, uploadId);
    startDecoding(deps, sound.seq, upload.artistId);
    return sound.id;
  } catch (error) {
    // Another process may have been faster, which makes its file a duplicate here.
    const made = (await findUpload(db, uploadId))?.sound_id ?? undefined;
    if (made !== undefined) return made;
    const isLost = error instanceof MissingObjectError;
    if (isLost || isAboutFile(error)) await endUpload(deps, uploadId);
    throw isLost ? notFound() : error;
  }
}

/** Audio is read from a file of this process. */
async function withCopy<Result>(
  deps: CreationDeps,
  row: UploadRow,
  use: (path: string) => Promise<Result>,
): Promise<Result> {
  const file = await deps.temporaryFiles.make(false, row.size_bytes);
  try {
    await copyPieces(deps, row, file);
    await file.close();
    return await use(file.path);
  } finally {
    await file.remove();
  }
}

function isAboutFile(error: unknown): boolean {
  return error instanceof Problem && error.status === 400 && 'file' in error.fields;
}
