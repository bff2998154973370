import type { Platform } from '../../../platform/http/http.ts';
import { deleteIncoming, forgetObjects, selectKept, selectLeftovers } from './queries.ts';

type LeftoverDeps = Pick<Platform, 'database' | 'storage' | 'logger'>;

/** Longer than a call can take: applications still incoming by then never arrived. */
const INCOMING_MS_MAX = 60 * 60 * 1000;

/** Destroys files that a crash or a storage failure left after their decision or before their arrival. */
export async function sweepQualityChecks(deps: LeftoverDeps & Pick<Platform, 'clock'>): Promise<void> {
  const leftovers = await selectLeftovers(deps.database.db, deps.clock.now() - INCOMING_MS_MAX);
  for (const id of leftovers) await destroyFiles(deps, id);
}

/**
 * Destroys the files of an application that is not waiting. Failures are retried later: rows keep the locations until
 * the files are gone.
 */
export async function destroyFiles(
  { database: { db }, storage, logger }: LeftoverDeps,
  applicationId: string,
): Promise<void> {
  try {
    const kept = await selectKept(db, applicationId);
    const state = kept[0]?.state;
    if (state === undefined || state === 'pending') return;
    for (const { object_key } of kept) if (object_key !== null) await storage.delete(object_key);
    if (state === 'incoming') await deleteIncoming(db, applicationId);
    else await forgetObjects(db, applicationId);
  } catch (error) {
    logger.error(
      { err: error, application: applicationId },
      'the files of a quality check could not be destroyed',
    );
  }
}
