import { HOUR_MS, MINUTE_MS } from '../../../../contract/values/time-units.ts';
import {
  RESUMABLE_AGE_MS_MAX,
  RESUMABLE_AT_ONCE_MAX,
  RESUMABLE_BYTES_MAX,
} from '../../../../contract/sounds/resumable-uploads.ts';
import { Problem, notFound } from '../../../platform/http/problem.ts';
import { tooLarge } from '../../../platform/http/form-limits.ts';
import { lockUploader, sumSounds } from '../queries.ts';
import { refuseAboveQuota, refuseUploader } from '../upload-problems.ts';
import { deletePieces } from './pieces.ts';
import type { UploadDeps } from './pieces.ts';
import {
  deleteUnfinished,
  findUpload,
  insertUpload,
  selectIdle,
  sumAwaited,
  sumUnfinished,
} from './queries.ts';
import type { UploadRow } from './queries.ts';
import type { Handle } from '../../../platform/database/handle.ts';

/** The form of `randomId`; other texts are not looked up. */
const UPLOAD_ID = /^[A-Za-z0-9]{16}$/;

export interface NewUpload {
  readonly id: string;
  readonly userId: string;
  readonly sizeBytes: number;
  readonly metadata: string;
}

/** When an upload expires, epoch ms. */
export function toExpiry({ created_at }: Pick<UploadRow, 'created_at'>): number {
  return created_at + RESUMABLE_AGE_MS_MAX;
}

/** Throws the same `Problem` 404 for an upload that does not exist, has expired, or belongs to another member. */
export async function requireUpload(
  { database, clock }: Pick<UploadDeps, 'database' | 'clock'>,
  id: string,
  userId: string,
): Promise<UploadRow> {
  const row = UPLOAD_ID.test(id) ? await findUpload(database.db, id) : undefined;
  if (row === undefined || row.user_id !== userId || toExpiry(row) <= clock.now()) throw notFound();
  return row;
}

/**
 * Records an upload that is about to be sent. When the member has too many unfinished uploads, those that have not
 * been active for an hour are ended first: another browser may have lost them. Throws `Problem`: 403 for a member who may not
 * upload, 409 when there is no room or too many are unfinished, 413 when it is too large.
 */
export async function admitUpload(deps: UploadDeps, upload: NewUpload): Promise<void> {
  if (upload.sizeBytes > RESUMABLE_BYTES_MAX) throw tooLarge('file', RESUMABLE_BYTES_MAX);
  if (await insertUploadIfAllowed(deps, upload)) return;
  await deleteIdle(deps, upload.userId);
  if (await insertUploadIfAllowed(deps, upload)) return;
  throw new Problem(409, {
    upload: `同時にアップロードできるのは${RESUMABLE_AT_ONCE_MAX}件までです。終わるまでお待ちください。`,
  });
}

/** Returns false and changes nothing when too many are unfinished. */
function insertUploadIfAllowed(
  { database, clock }: UploadDeps,
  { id, userId, sizeBytes, metadata }: NewUpload,
): Promise<boolean> {
  const now = clock.now();
  const row = { id, user_id: userId, size_bytes: sizeBytes, metadata, sound_id: null, created_at: now };
  return database.db.transaction().execute(async (transaction: Handle) => {
    refuseUploader(await lockUploader(transaction, userId));
    const unfinished = await sumUnfinished(transaction, userId, now - RESUMABLE_AGE_MS_MAX);
    if (unfinished.uploads >= RESUMABLE_AT_ONCE_MAX) return false;
    const sum = await sumSounds(transaction, userId);
    refuseAboveQuota({ ...sum, bytes: sum.bytes + unfinished.bytes }, sizeBytes);
    await insertUpload(transaction, row);
    return true;
  });
}

/** Far longer than a piece takes: an upload that is receiving one is not idle. */
const IDLE_MS = HOUR_MS;

/** Ends a member's uploads that have not been active for `IDLE_MS`, and frees their bytes. */
async function deleteIdle(deps: UploadDeps, userId: string): Promise<void> {
  const { db } = deps.database;
  const idleSinceMs = deps.clock.now() - IDLE_MS;
  for (const id of await selectIdle(db, userId, idleSinceMs)) {
    if (await deleteUnfinished(db, id, idleSinceMs)) await deletePieces(deps, id);
  }
}

/** Ends an upload of which no sound was made, and deletes its bytes. Returns false when there is none. */
export async function endUpload(deps: UploadDeps, id: string): Promise<boolean> {
  const hasEnded = await deleteUnfinished(deps.database.db, id);
  if (hasEnded) await deletePieces(deps, id);
  return hasEnded;
}

/** An upload that has not been active for this long reserves no room; each of its parts is checked when it continues. */
const RESERVED_MS = 10 * MINUTE_MS;

/** The declared bytes of unfinished uploads that have not been received yet, in all processes. */
export function sumExpected({ database, clock }: Pick<UploadDeps, 'database' | 'clock'>): Promise<number> {
  const nowMs = clock.now();
  return sumAwaited(database.db, nowMs - RESUMABLE_AGE_MS_MAX, nowMs - RESERVED_MS);
}
