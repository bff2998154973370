import { toPieceKey } from '../../../media/object-keys.ts';
import type { Platform } from '../../../platform/http/context.ts';
import { INCOMING_MS_MAX } from '../../../platform/storage/port.ts';
import type { TemporaryFile } from '../../../platform/storage/temporary-files.ts';
import {
  forgetPiece,
  giveUpPiece,
  markAbandonedPieces,
  markPieces,
  selectMarkedPieces,
  selectPieces,
} from './piece-queries.ts';
import type { UploadRow } from './queries.ts';

/** What uploads in pieces need of the platform. */
export type UploadDeps = Pick<Platform, 'database' | 'storage' | 'clock' | 'logger'>;

const COLLECTED_AT_ONCE = 1_000;
/** A bucket answers each call after some time. */
const DELETED_AT_ONCE = 8;

/**
 * Appends the bytes of a complete upload to a file. Throws `MissingObjectError` when a piece is lost, or when the upload
 * has ended meanwhile.
 */
export async function copyPieces(
  { database, storage }: UploadDeps,
  { id, size_bytes }: Pick<UploadRow, 'id' | 'size_bytes'>,
  file: TemporaryFile,
): Promise<void> {
  let copiedBytes = 0;
  for (const piece of await selectPieces(database.db, id)) {
    if (piece.start_byte !== copiedBytes) throw new Error('the pieces of an upload have a gap');
    const content: AsyncIterable<Uint8Array> = await storage.open(toPieceKey(piece.id));
    for await (const chunk of content) {
      await file.append(chunk);
      copiedBytes += chunk.byteLength;
    }
  }
  if (copiedBytes !== size_bytes) throw new Error('the pieces of an upload have another size');
}

/** Deletes a piece that was not received. Failures are retried by `collectPieces`. */
export async function discardPiece(deps: UploadDeps, id: string): Promise<void> {
  const { db } = deps.database;
  await logFailure(deps, async () => {
    if (await giveUpPiece(db, id, deps.clock.now())) await destroy(deps, [id]);
  });
}

/** Deletes the received pieces of an upload that has ended. Failures are retried by `collectPieces`. */
export async function deletePieces(deps: UploadDeps, uploadId: string): Promise<void> {
  const { db } = deps.database;
  await logFailure(deps, async () => {
    await markPieces(db, uploadId, deps.clock.now());
    await destroy(deps, await selectMarkedPieces(db, COLLECTED_AT_ONCE, { uploadId }));
  });
}

/**
 * Deletes pieces that crashes or storage failures have left, and those of uploads that have ended. A piece that another
 * process may still be storing stays for `INCOMING_MS_MAX`, which is longer than storing one takes.
 */
export async function collectPieces(deps: UploadDeps): Promise<void> {
  const { db } = deps.database;
  const nowMs = deps.clock.now();
  await markAbandonedPieces(db, nowMs - INCOMING_MS_MAX, nowMs);
  let afterId = '';
  for (;;) {
    const ids = await selectMarkedPieces(db, COLLECTED_AT_ONCE, { afterId });
    await destroy(deps, ids);
    if (ids.length < COLLECTED_AT_ONCE) return;
    afterId = ids.at(-1) ?? '';
  }
}

/** The row stays until the object is gone, so that no object is unknown. */
async function destroy(deps: UploadDeps, ids: readonly string[]): Promise<void> {
  for (let start = 0; start < ids.length; start += DELETED_AT_ONCE) {
    const batch = ids.slice(start, start + DELETED_AT_ONCE);
    await Promise.all(
      batch.map((id) =>
        logFailure(deps, async () => {
          await deps.storage.delete(toPieceKey(id));
          await forgetPiece(deps.database.db, id);
        }),
      ),
    );
  }
}

async function logFailure({ logger }: UploadDeps, work: () => Promise<void>): Promise<void> {
  await work().catch((error: unknown) => {
    logger.error({ err: error }, 'pieces of an upload could not be deleted');
  });
}
