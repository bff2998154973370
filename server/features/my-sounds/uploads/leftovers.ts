import { RESUMABLE_AGE_MS_MAX } from '../../../../contract/sounds/resumable-uploads.ts';
import { INCOMING_MS_MAX } from '../../../platform/storage/port.ts';
import { collectPieces, deletePieces } from './pieces.ts';
import type { UploadDeps } from './pieces.ts';
import { deleteUpload, selectExpired, selectUploadsOf } from './queries.ts';

const BATCH_SIZE = 1_000;
/** An upload that expires while another process makes a sound of it stays for as long as that may take. */
export const EXPIRED_MS = RESUMABLE_AGE_MS_MAX + INCOMING_MS_MAX;

/** Removes expired uploads, and the bytes that no upload needs any more. Safe beside calls in other processes. */
export async function deleteExpiredUploads(deps: UploadDeps): Promise<void> {
  const { db } = deps.database;
  for (const id of await selectExpired(db, deps.clock.now() - EXPIRED_MS, BATCH_SIZE)) {
    await deleteUpload(db, id);
  }
  await collectPieces(deps);
}

/** Deletes all uploads of a member, with their bytes. */
export async function deleteUploadsOf(deps: UploadDeps, userId: string): Promise<void> {
  const { db } = deps.database;
  for (const id of await selectUploadsOf(db, userId)) {
    await deleteUpload(db, id);
    await deletePieces(deps, id);
  }
}
