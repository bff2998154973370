import type { Platform } from '../../../platform/http/http.ts';
import { destroyImage } from './images.ts';
import { deleteIncoming, findSubmission, forgetObject, selectLeftovers } from './submission-queries.ts';

type LeftoverDeps = Pick<Platform, 'database' | 'storage' | 'logger'>;

/** Longer than a call can take: submissions still incoming by then never arrived. */
const INCOMING_MS_MAX = 60 * 60 * 1000;

/** Destroys images that a crash or a storage failure left after their decision or before their arrival. */
export async function sweepDecidedPersonalInfo(deps: LeftoverDeps & Pick<Platform, 'clock'>): Promise<void> {
  const leftovers = await selectLeftovers(deps.database.db, deps.clock.now() - INCOMING_MS_MAX);
  for (const { id } of leftovers) await destroyLeftover(deps, id);
}

/**
 * Destroys the image of a submission that is not waiting. Failures are retried later: the row keeps the location until
 * the image is gone.
 */
export async function destroyLeftover(
  { database: { db }, storage, logger }: LeftoverDeps,
  submissionId: string,
): Promise<void> {
  try {
    const submission = await findSubmission(db, submissionId);
    if (submission === undefined || submission.object_key === null || submission.state === 'pending') return;
    await destroyImage({ storage }, submissionId, submission.object_key);
    if (submission.state === 'incoming') await deleteIncoming(db, submissionId);
    else await forgetObject(db, submissionId);
  } catch (error) {
    logger.error({ err: error, submission: submissionId }, 'the image of an ID could not be destroyed');
  }
}
