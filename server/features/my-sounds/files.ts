import type { Platform } from '../../platform/http/context.ts';
import { INCOMING_MS_MAX } from '../../platform/storage/port.ts';
import { toSoundKey } from '../../media/object-keys.ts';
import { deletePicture } from '../../media/pictures/pictures.ts';
import {
  findMarked,
  forgetFile,
  giveUpFile,
  markIncomingDeleted,
  recordIncomingFile,
  selectMarked,
} from './file-queries.ts';
import type { RecordedFile } from './file-queries.ts';
import { isFileUsed } from '../catalogue/queries.ts';

export type FileDeps = Pick<Platform, 'database' | 'storage' | 'clock' | 'logger'>;

const COLLECTED_AT_ONCE = 1_000;

/**
 * Stores a file and lets `claim` refer to it. The file is recorded first, and the record is removed in the transaction
 * of the claim, so that an interruption leaves no unknown file in storage.
 */
export async function storeClaimed<Result>(
  deps: FileDeps,
  file: RecordedFile,
  store: () => Promise<unknown>,
  claim: () => Promise<Result>,
): Promise<Result> {
  const { db } = deps.database;
  await recordIncomingFile(db, file, deps.clock.now());
  try {
    await store();
    return await claim();
  } catch (error) {
    await giveUpFile(db, file.file_key).catch(() => undefined); // if this fails, it is removed later
    await deleteMarked(deps, [file.file_key]);
    throw error;
  }
}

/** Deletes files whose rows are gone. Failures are retried later. */
export async function deleteMarked(deps: FileDeps, keys: readonly string[]): Promise<void> {
  for (const key of keys) {
    try {
      const file = await findMarked(deps.database.db, key);
      if (file !== undefined) await destroy(deps, file);
    } catch (error) {
      deps.logger.error({ err: error, key }, 'an unused file could not be deleted');
    }
  }
}

async function destroy(
  { database: { db }, storage }: FileDeps,
  { file_key, kind }: RecordedFile,
): Promise<void> {
  // Several sounds of the demo may share a file; uploads have their own.
  if (!(await isFileUsed(db, kind, file_key))) {
    if (kind === 'sound') await storage.delete(toSoundKey(file_key));
    else await deletePicture(storage, file_key, 'thumbnail');
  }
  await forgetFile(db, file_key);
}

/** Deletes what crashes or storage failures have left; safe beside uploads of other processes. */
export async function collectUnclaimedFiles(deps: FileDeps): Promise<void> {
  const { db } = deps.database;
  await markIncomingDeleted(db, deps.clock.now() - INCOMING_MS_MAX);
  const marked = await selectMarked(db, COLLECTED_AT_ONCE);
  await deleteMarked(
    deps,
    marked.map(({ file_key }) => file_key),
  );
}
