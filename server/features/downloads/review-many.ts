import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/database.ts';
import { requireStaff } from '../staff/staff.ts';
import { lockCredits } from './credit-queries.ts';
import { bookDecision, findObstacle, toApproval, toRejection } from './review.ts';
import type { NewDecision, ReviewDeps } from './review.ts';
import { countHeld, selectCredits } from './review-queries.ts';
import type { HeldCredits } from './review-queries.ts';
import type { Obstacle } from './unfit-credit.ts';

/** Downloads wait while credits are decided; a batch of this size takes them a moment. */
const DECIDED_TOGETHER_MAX = 200;

/** The result of a decision on an artist's held credits. */
export interface Decided {
  readonly credits: number;
  readonly yen: number;
  /** Credits that are still held, and why. */
  readonly skipped: { readonly credits: number; readonly why: Obstacle } | undefined;
}

/**
 * Approves each credit that `approveCredit` would approve and skips the rest. Throws 403 for a caller who is not staff.
 */
export function approveHeldCredits(deps: ReviewDeps, held: HeldCredits, staffId: string): Promise<Decided> {
  return decideMany(deps, held, toApproval(staffId));
}

/** Rejects all of them for one reason; throws like `rejectCredit`. */
export async function rejectHeldCredits(
  deps: ReviewDeps,
  held: HeldCredits,
  staffId: string,
  reason: string,
): Promise<Decided> {
  return decideMany(deps, held, toRejection(staffId, reason));
}

/** Decides in batches, each in one transaction. After an interruption the remaining credits are still held. */
async function decideMany(deps: ReviewDeps, held: HeldCredits, decision: NewDecision): Promise<Decided> {
  let [credits, yen] = [0, 0];
  for (;;) {
    const some = await deps.database.db
      .transaction()
      .execute((transaction) => decideSome(transaction, deps, held, decision));
    credits += some.credits;
    yen += some.yen;
    if (some.credits < DECIDED_TOGETHER_MAX) return { credits, yen, skipped: some.skipped };
  }
}

async function decideSome(
  transaction: Transaction<Schema>,
  { database, clock }: ReviewDeps,
  held: HeldCredits,
  decision: NewDecision,
): Promise<Decided> {
  const nowMs = clock.now();
  await requireStaff(transaction, decision.decided_by);
  // Serialises decisions: credits held here are still held below.
  await lockCredits(transaction, database);
  const some = await selectCredits(transaction, { state: 'held', ...held }, DECIDED_TOGETHER_MAX);
  const why = await findObstacle(transaction, held.artistId, decision);
  if (why !== undefined && some.length > 0) {
    return { credits: 0, yen: 0, skipped: { credits: await countHeld(transaction, held), why } };
  }
  for (const { id } of some) await bookDecision(transaction, id, decision, nowMs);
  const yen = some.reduce((sum, each) => sum + each.yen, 0);
  return { credits: some.length, yen, skipped: undefined };
}
