import { announceAccount } from '../catalogue/search/reindexing.ts';
import type { EveryFeature } from '../feature.ts';
import { FINAL_STEPS, LONG_STEPS } from '../member-erasure.ts';
import type { ErasureDeps } from '../member-erasure.ts';
import { DELETION_GRACE_MS } from './deletion.ts';
import { lockMember, selectDue } from './deletion-queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

type Deps = ErasureDeps & Pick<EveryFeature, 'features'>;

const AT_ONCE = 100;

/**
 * Deletes the accounts whose grace period is over, by the steps that the features declare, until `ending` is aborted.
 * Every step can be repeated, and the last one marks the account as deleted, so that the next run goes on where this one
 * stopped. Safe beside other processes. Never rejects.
 */
export async function eraseDueAccounts(deps: Deps, ending?: AbortSignal): Promise<void> {
  const { database, clock, logger } = deps;
  try {
    for (const userId of await selectDue(database.db, clock.now() - DELETION_GRACE_MS, AT_ONCE)) {
      if (ending?.aborted) return;
      await eraseAccount(deps, userId, ending).catch((err: unknown) =>
        logger.error({ err, member: userId }, 'an account could not be deleted; it is retried'),
      );
    }
  } catch (err) {
    logger.error({ err }, 'accounts to delete could not be read');
  }
}

async function eraseAccount(deps: Deps, userId: string, ending?: AbortSignal): Promise<void> {
  for (const step of LONG_STEPS)
    for (const { erasure } of deps.features) await erasure?.[step]?.(deps, userId, ending);
  if (ending?.aborted) return;
  const isErased = await finish(deps, userId);
  if (!isErased) return;
  await announceAccount(deps, userId);
  deps.logger.info({ member: userId }, 'account deleted');
}

/** Everything that takes a bounded time; the account counts as deleted when it is committed. */
async function finish({ database, clock, features }: Deps, userId: string): Promise<boolean> {
  const nowMs = clock.now();
  return database.db.transaction().execute(async (transaction: Handle) => {
    const member = await lockMember(transaction, userId);
    const isDue = member?.deleted_at === null && member.deletion_requested_at !== null;
    if (!isDue) return false;
    const addresses = [...new Set([member.email, member.message_email])].filter((address) => address !== '');
    for (const step of FINAL_STEPS)
      for (const { erasure } of features)
        await erasure?.[step]?.(transaction, { ...member, addresses }, nowMs);
    return true;
  });
}
