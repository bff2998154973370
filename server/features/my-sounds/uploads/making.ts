import { Problem, notFound } from '../../../platform/http/http.ts';
import type { Platform } from '../../../platform/http/http.ts';
import type { WaveformDeps } from '../waveforms.ts';
import { startReading } from '../waveforms.ts';
import { uploadSound } from '../upload.ts';
import type { FileDeps } from '../files.ts';
import { requireUpload } from './own-uploads.ts';
import type { UploadDeps } from './own-uploads.ts';
import { deleteUnfinished, findUpload, noteSound } from './queries.ts';
import type { UploadRow } from './queries.ts';

type MakingDeps = UploadDeps & FileDeps & WaveformDeps & Pick<Platform, 'afterwork'>;

export interface FinishedUpload {
  readonly uploadId: string;
  readonly artistId: string;
  /** A sound type's id. */
  readonly type: string;
  /** Fit to be shown. */
  readonly filename: string;
}

/**
 * Makes a private sound of an upload and returns its id; of one that has become a sound, the id of that.
 * Throws `Problem`: 404 for no upload of the artist, 409 when it has not arrived yet, and what `uploadSound`
 * throws; one whose file is no sound of ours is removed.
 */
export async function makeSoundOfUpload(deps: MakingDeps, upload: FinishedUpload): Promise<string> {
  const { uploadId, artistId } = upload;
  const known = await findMade(deps, await requireUpload(deps, uploadId, artistId));
  if (known !== undefined) return known;
  return deps.uploadFiles.locks.hold(uploadId, async () => {
    // Another call may have had its turn before.
    const made = await findMade(deps, await requireUpload(deps, uploadId, artistId));
    return made ?? make(deps, upload);
  });
}

/** What an upload has become; undefined when it is ready to become it. Throws `Problem`. */
async function findMade({ uploadFiles }: MakingDeps, row: UploadRow): Promise<string | undefined> {
  if (row.sound_id !== null) return row.sound_id;
  const arrived = await uploadFiles.findSize(row.id);
  if (arrived === undefined) throw notFound();
  if (arrived < row.size_bytes) {
    throw new Problem(409, { upload: 'アップロードがまだ終わっていません。' });
  }
  return undefined;
}

async function make(deps: MakingDeps, { uploadId, ...upload }: FinishedUpload): Promise<string> {
  const { db } = deps.database;
  try {
    const sound = await uploadSound(deps, {
      ...upload,
      file: { path: deps.uploadFiles.toPath(uploadId) },
      async note(transaction, soundId) {
        if (!(await noteSound(transaction, uploadId, soundId))) throw notFound();
      },
    });
    await removeBytes(deps, uploadId);
    startReading(deps, sound);
    return sound.id;
  } catch (error) {
    // Another process may have been quicker, which makes its file a duplicate here.
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

/** What fails is swept later. */
async function removeBytes({ uploadFiles, logger }: MakingDeps, id: string): Promise<void> {
  await uploadFiles.remove(id).catch((error: unknown) => {
    logger.error({ err: error, upload: id }, 'the bytes of an upload could not be removed');
  });
}
