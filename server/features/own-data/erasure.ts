import type { Platform } from '../../platform/http/context.ts';
import { deleteFreeUsernames, saveFormerUsername } from '../accounts/former-usernames.ts';
import { removeFavorites } from '../catalogue/favorites/service.ts';
import { forfeitBalance } from '../ledger/postings.ts';
import { deleteSoundsOf } from '../my-sounds/deletion.ts';
import { retirePicture } from '../pictures/queries.ts';
import { withdrawSubmissions } from '../reviews/withdrawal.ts';
import { DELETION_GRACE_MS, announceAccount } from './deletion.ts';
import { lockMember, selectDue } from './deletion-queries.ts';
import { deleteAccess, deleteMentions, pseudonymise, rejectHeldCredits } from './erasure-queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

export type ErasureDeps = Pick<Platform, 'database' | 'storage' | 'clock' | 'logger' | 'catalogueChanged'>;

const AT_ONCE = 100;

/**
 * Deletes the accounts whose grace period is over, until `ending` is aborted. Every step can be repeated, and the last
 * one marks the account as deleted, so that the next run goes on where this one stopped. Safe beside other processes.
 * Never rejects.
 */
export async function eraseDueAccounts(deps: ErasureDeps, ending?: AbortSignal): Promise<void> {
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

async function eraseAccount(deps: ErasureDeps, userId: string, ending?: AbortSignal): Promise<void> {
  const { database } = deps;
  // First, so that no link can restore a part of the account.
  await deleteAccess(database.db, userId);
  await deleteSoundsOf(deps, userId, ending);
  await removeFavorites(database, userId, ending);
  await withdrawSubmissions(deps, userId);
  if (ending?.aborted) return;
  const isErased = await finish(deps, userId);
  if (!isErased) return;
  await announceAccount(deps, userId);
  deps.logger.info({ member: userId }, 'account deleted');
}

/** Everything that takes a bounded time; the account counts as deleted when it is committed. */
async function finish({ database, clock }: ErasureDeps, userId: string): Promise<boolean> {
  const nowMs = clock.now();
  return database.db.transaction().execute(async (transaction: Handle) => {
    const member = await lockMember(transaction, userId);
    const isDue = member?.deleted_at === null && member.deletion_requested_at !== null;
    if (!isDue) return false;
    await rejectHeldCredits(transaction, userId, nowMs);
    await forfeitBalance(transaction, userId, nowMs);
    const { picture_key, background_key, username_key, username_skeleton } = member;
    if (picture_key !== null) await retirePicture(transaction, { picture_key, kind: 'avatar' }, nowMs);
    if (background_key !== null)
      await retirePicture(transaction, { picture_key: background_key, kind: 'background' }, nowMs);
    await deleteMentions(transaction, member);
    await deleteFreeUsernames(transaction, userId, nowMs);
    await saveFormerUsername(transaction, {
      username_key,
      username_skeleton,
      user_id: userId,
      since: nowMs,
    });
    await pseudonymise(transaction, userId, nowMs);
    return true;
  });
}
