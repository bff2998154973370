import { notFound } from '../../platform/http/problem.ts';
import { reverseReward } from '../ledger/reversals.ts';
import { recordAction, requireStaff } from '../staff/actions.ts';
import { toReason } from '../staff/reasons.ts';
import { addToCounts, toArtistSubject } from './counts.ts';
import { hasCredit, lockCredits } from './credit-queries.ts';
import { toDownloadKey } from './credits.ts';
import { markReversed } from './review-queries.ts';
import type { ReviewDeps } from './review.ts';
import { CreditBlocked } from './credit-blocked.ts';
import type { Handle } from '../../platform/database/handle.ts';

/**
 * Reverses a credited download permanently: its yen and its part in the artist's figures. The sound's public count
 * stays, since the file was sent, and the visitor cannot earn the artist another credit for it. Throws `Problem` 400
 * without a reason, 403 for a caller who is not staff, 404 when there is no such credit; `CreditBlocked` when it is not
 * or no longer credited, or its yen are paid out or held for a payout.
 */
export async function reverseCredit(
  { database, clock, rewardPendingDays }: ReviewDeps & { readonly rewardPendingDays?: number },
  creditId: string,
  staffId: string,
  reason: string,
): Promise<void> {
  const nowMs = clock.now();
  const note = toReason(reason);
  await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    await lockCredits(transaction, database);
    const decision = { reason: note, decided_at: nowMs, decided_by: staffId };
    const credit = await markReversed(transaction, creditId, decision);
    if (credit === undefined) {
      throw (await hasCredit(transaction, creditId)) ? new CreditBlocked('not-credited') : notFound();
    }
    const { intent_id: intentId, artist_id: artistId, created_at } = credit;
    const outcome = await reverseReward(transaction, {
      idempotencyKey: toDownloadKey(intentId),
      atMs: nowMs,
      pendingDays: rewardPendingDays,
    });
    if (outcome === 'unaffordable') throw new CreditBlocked('paid-out');
    if (outcome !== 'reversed')
      throw new Error(`cannot reverse the reward of credit ${creditId}: ${outcome} in the ledger`);
    await addToCounts(transaction, [toArtistSubject(artistId)], { counted: 0, credits: -1 }, created_at);
    await recordAction(transaction, { staffId, action: 'reverse credit', subject: creditId, note }, nowMs);
  });
}
