import { RESUMABLE_AGE_MS_MAX } from '../../../../contract/resumable-uploads.ts';
import type { UploadDeps } from './own-uploads.ts';
import { deleteUpload, findUpload, selectExpired } from './queries.ts';

const SWEPT_AT_ONCE = 1_000;

/** Removes expired uploads and the bytes of uploads that became a sound or were deleted. */
export async function sweepUploads({ database: { db }, clock, uploadFiles }: UploadDeps): Promise<void> {
  const expired = await selectExpired(db, clock.now() - RESUMABLE_AGE_MS_MAX, SWEPT_AT_ONCE);
  for (const id of expired) {
    await uploadFiles.locks.hold(id, async () => {
      await uploadFiles.remove(id);
      await deleteUpload(db, id);
    });
  }
  for (const id of await uploadFiles.list()) {
    const row = await findUpload(db, id); // the row exists before the file
    if (row !== undefined && row.sound_id === null) continue;
    await uploadFiles.locks.hold(id, () => uploadFiles.remove(id));
  }
}
