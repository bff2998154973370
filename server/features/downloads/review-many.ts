import { requireStaff } from '../staff/actions.ts';
import { lockCredits } from './credit-queries.ts';
import { bookDecision, findDecisionBlocker, toApproval, toRejection } from './review.ts';
import type { NewDecision, ReviewDeps } from './review.ts';
import { countHeldCredits, selectCredits } from './review-queries.ts';
import type { HeldCreditFilter } from './review-queries.ts';
import type { Blocker } from './credit-blocked.ts';
import type { Handle } from '../../platform/database/handle.ts';

/** Downloads wait while credits are decided; a batch of this size takes them a moment. */
const BATCH_SIZE = 200;

/** The result of a decision on an artist's held credits. */
export interface DecisionSummary {
  readonly credits: number;
  readonly yen: number;
  /** Credits that are left for another call. */
  readonly remaining: number;
  /** Credits that are still held, and why. */
  readonly skipped: { readonly credits: number; readonly blocker: Blocker } | undefined;
}

/**
 * Approves each credit that `approveCredit` would approve and skips the rest. Throws 403 for a caller who is not staff.
 * Stops after the batch with the `atMost`th credit.
 */
export function approveHeldCredits(
  deps: ReviewDeps,
  filter: HeldCreditFilter,
  staffId: string,
  atMost = Infinity,
): Promise<DecisionSummary> {
  return decideMany(deps, filter, toApproval(staffId), atMost);
}

/** Rejects all of them for one reason; throws like `rejectCredit`. Stops like `approveHeldCredits`. */
export async function rejectHeldCredits(
  deps: ReviewDeps,
  filter: HeldCreditFilter,
  staffId: string,
  reason: string,
  atMost = Infinity,
): Promise<DecisionSummary> {
  return decideMany(deps, filter, toRejection(staffId, reason), atMost);
}

/** Decides in batches, each in one transaction. After an interruption the remaining credits are still held. */
async function decideMany(
  deps: ReviewDeps,
  filter: HeldCreditFilter,
  decision: NewDecision,
  atMost: number,
): Promise<DecisionSummary> {
  let [credits, yen] = [0, 0];
  for (;;) {
    const batch = await deps.database.db
      .transaction()
      .execute((transaction: Handle) => decideBatch(transaction, deps, filter, decision));
    credits += batch.credits;
    yen += batch.yen;
    if (batch.credits < BATCH_SIZE) return { credits, yen, remaining: 0, skipped: batch.skipped };
    if (credits >= atMost) {
      const remaining = await countHeldCredits(deps.database.db, filter);
      return { credits, yen, remaining, skipped: undefined };
    }
  }
}

async function decideBatch(
  transaction: Handle,
  { database, clock }: ReviewDeps,
  filter: HeldCreditFilter,
  decision: NewDecision,
): Promise<Omit<DecisionSummary, 'remaining'>> {
  const nowMs = clock.now();
  await requireStaff(transaction, decision.decided_by);
  // Serialises decisions: credits held here are still held below.
  await lockCredits(transaction, database);
  const batch = await selectCredits(transaction, { state: 'held', ...filter }, BATCH_SIZE);
  const blocker = await findDecisionBlocker(transaction, filter.artistId, decision);
  if (blocker !== undefined && batch.length > 0) {
    return { credits: 0, yen: 0, skipped: { credits: await countHeldCredits(transaction, filter), blocker } };
  }
  for (const { id } of batch) await bookDecision(transaction, id, decision, nowMs);
  const yen = batch.reduce((sum, each) => sum + each.yen, 0);
  return { credits: batch.length, yen, skipped: undefined };
}
