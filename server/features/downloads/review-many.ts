import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/database.ts';
import { requireStaff } from '../staff/staff.ts';
import { takeCreditTurn } from './credit-queries.ts';
import { bookDecision, findObstacle, toApproval, toRejection } from './review.ts';
import type { NewDecision, ReviewDeps } from './review.ts';
import { countHeld, selectCredits } from './review-queries.ts';
import type { HeldCredits } from './review-queries.ts';
import type { Obstacle } from './unfit-credit.ts';

/** Downloads wait while credits are decided: so many together take them a moment. */
const DECIDED_TOGETHER_MAX = 200;

/** What became of an artist's held credits. */
export interface Decided {
  readonly credits: number;
  readonly yen: number;
  /** Those that are still held, and why. */
  readonly skipped: { readonly credits: number; readonly why: Obstacle } | undefined;
}

/** Approves what `approveCredit` would, one after another, and skips the rest. Throws 403 for who is no staff. */
export function approveHeldCredits(deps: ReviewDeps, held: HeldCredits, staffId: string): Promise<Decided> {
  return decideMany(deps, held, toApproval(staffId));
}

/** Rejects them all for one reason; throws as `rejectCredit`. */
export async function rejectHeldCredits(
  deps: ReviewDeps,
  held: HeldCredits,
  staffId: string,
  reason: string,
): Promise<Decided> {
  return decideMany(deps, held, toRejection(staffId, reason));
}

/** Some at a time, each time all of them or none; broken off, the rest is still held. */
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
  // Nobody else decides meanwhile: what is held here is held below.
  await takeCreditTurn(transaction, database);
  const some = await selectCredits(transaction, { state: 'held', ...held }, DECIDED_TOGETHER_MAX);
  const why = await findObstacle(transaction, held.artistId, decision);
  if (why !== undefined && some.length > 0) {
    return { credits: 0, yen: 0, skipped: { credits: await countHeld(transaction, held), why } };
  }
  for (const { id } of some) await bookDecision(transaction, id, decision, nowMs);
  const yen = some.reduce((sum, each) => sum + each.yen, 0);
  return { credits: some.length, yen, skipped: undefined };
}
