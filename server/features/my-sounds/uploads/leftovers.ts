import { RESUMABLE_AGE_MS_MAX } from '../../../../contract/resumable-uploads.ts';
import type { UploadDeps } from './own-uploads.ts';
import { deleteUpload, findUpload, selectExpired } from './queries.ts';

const BATCH_SIZE = 1_000;

/** Removes expired uploads and the bytes of uploads that became a sound or were deleted. */
export async function deleteExpiredUploads({
  database: { db },
  clock,
  uploadFiles,
}: UploadDeps): Promise<void> {
  const expired = await selectExpired(db, clock.now() - RESUMABLE_AGE_MS_MAX, BATCH_SIZE);
  for (const id of expired) {
    await uploadFiles.locks.withLock(id, async () => {
      await uploadFiles.remove(id);
      await deleteUpload(db, id);
    });
  }
  for (const id of await uploadFiles.list()) {
    const row = await findUpload(db, id); // the row exists before the file
    if (row !== undefined && row.sound_id === null) continue;
    await uploadFiles.locks.withLock(id, () => uploadFiles.remove(id));
  }
}
