import { rm, stat } from 'node:fs/promises';
import { buffer } from 'node:stream/consumers';
import type { Platform } from '../../../platform/http/http.ts';
import { isLegacySeal, readLegacyKeys, unsealLegacy } from '../../../platform/crypto/crypto.ts';
import { MissingObjectError } from '../../../platform/storage/storage.ts';
import type { ReviewsOptions } from '../options.ts';
import { selectSubmission } from '../life-cycle.ts';
import { storeImage, toContext, toImageKey } from './images.ts';
import { PERSONAL_INFO } from './kind.ts';
import { selectPending } from './submission-queries.ts';

export type ResealingDeps = Pick<Platform, 'database' | 'storage' | 'clock' | 'logger'> &
  Pick<ReviewsOptions, 'personalInfoKey'>;

/** During a rolling start, processes of an earlier version may seal with the symmetric key for this long. */
const GRACE_MS = 60 * 60 * 1000;

/**
 * Reseals images that an earlier version sealed with a symmetric key to the staff's public key. Then deletes the files
 * of the symmetric key, unless an image could not be opened or the grace period has not passed.
 */
export async function resealPersonalInfo(
  deps: ResealingDeps,
  retiredFiles: readonly string[],
): Promise<void> {
  const keys = readLegacyKeys(retiredFiles);
  if (keys.length === 0) return;
  let isComplete = true;
  for (const { id } of await selectPending(deps.database.db)) {
    try {
      await resealOne(deps, keys, id);
    } catch (error) {
      isComplete = false;
      deps.logger.error({ err: error, submission: id }, 'the image of an ID could not be sealed again');
    }
  }
  if (!isComplete) return;
  for (const file of retiredFiles) {
    const retiredAtMs = (await stat(file).catch(() => undefined))?.mtimeMs;
    if (retiredAtMs !== undefined && retiredAtMs + GRACE_MS <= deps.clock.now())
      await rm(file, { force: true });
  }
}

/** One process at a time: a key and an image from two processes would not match. */
async function resealOne(deps: ResealingDeps, keys: readonly Buffer[], submissionId: string): Promise<void> {
  const { database, storage } = deps;
  await database.db.transaction().execute(async (transaction) => {
    const submission = await selectSubmission(transaction, PERSONAL_INFO, submissionId)
      .forNoKeyUpdate()
      .executeTakeFirst();
    if (submission?.state !== 'pending') return;
    const belonging = { submissionId, userId: submission.user_id };
    const sealed = await readImage(deps, toImageKey(submissionId));
    if (sealed === undefined || !isLegacySeal(sealed)) return;
    await storeImage({ ...deps, storage }, belonging, unsealLegacy(keys, sealed, toContext(belonging)));
  });
}

async function readImage({ storage }: ResealingDeps, objectKey: string): Promise<Buffer | undefined> {
  try {
    return await buffer(await storage.open(objectKey));
  } catch (error) {
    if (error instanceof MissingObjectError) return undefined;
    throw error;
  }
}
