import { Problem, notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { recordAction, requireStaff } from '../staff/actions.ts';
import { toReason } from '../staff/reasons.ts';
import { addToCounts, toArtistSubject } from './counts.ts';
import { decideCredit, hasCredit, isBlocked, lockCredits } from './credit-queries.ts';
import type { CreditDecision } from './credit-queries.ts';
import { recordDownloadReward } from './credits.ts';
import { selectCredits } from './review-queries.ts';
import { CreditBlocked } from './credit-blocked.ts';
import type { Blocker } from './credit-blocked.ts';
import type { Handle } from '../../platform/database/handle.ts';

export type ReviewDeps = Pick<Platform, 'database' | 'clock'>;

/** Credits that are held for review, oldest first. For tests. @internal */
export function listHeldCredits({ database }: Pick<ReviewDeps, 'database'>) {
  return selectCredits(database.db, { state: 'held' }, 500);
}

/**
 * Posts a held credit now, with the yen that were fixed at the time of the download. Throws `Problem` 403 for a caller
 * who is not staff, 404 when there is no such credit, 409 when it is not or no longer held; and `CreditBlocked` when
 * the artist is blocked or is the caller.
 */
export function approveCredit(deps: ReviewDeps, creditId: string, staffId: string): Promise<void> {
  return decide(deps, creditId, toApproval(staffId));
}

/** Rejects any held credit, which then stays unpaid; throws like `approveCredit`, and 400 without a reason. */
export async function rejectCredit(
  deps: ReviewDeps,
  creditId: string,
  staffId: string,
  reason: string,
): Promise<void> {
  await decide(deps, creditId, toRejection(staffId, reason));
}

async function decide(
  { database, clock }: ReviewDeps,
  creditId: string,
  decision: NewDecision,
): Promise<void> {
  const nowMs = clock.now();
  await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, decision.decided_by);
    await lockCredits(transaction, database);
    const artistId = await bookDecision(transaction, creditId, decision, nowMs);
    const blocker = await findDecisionBlocker(transaction, artistId, decision);
    if (blocker !== undefined) throw new CreditBlocked(blocker);
  });
}

export type NewDecision = Omit<CreditDecision, 'decided_at'>;

export function toApproval(staffId: string): NewDecision {
  return { state: 'credited', decided_by: staffId, reason: '' };
}

/** Throws `Problem` 400 without a reason. */
export function toRejection(staffId: string, reason: string): NewDecision {
  return { state: 'rejected', decided_by: staffId, reason: toReason(reason) };
}

/** Why an artist's credits cannot be approved or rejected as requested. */
export async function findDecisionBlocker(
  transaction: Handle,
  artistId: string,
  { state, decided_by: staffId }: NewDecision,
): Promise<Blocker | undefined> {
  if (state === 'rejected') return undefined;
  if (artistId === staffId) return 'own';
  return (await isBlocked(transaction, artistId)) ? 'artist-blocked' : undefined;
}

/**
 * Decides one credit if permitted and records the decision. Returns the artist's id. Call it after `lockCredits`.
 */
export async function bookDecision(
  transaction: Handle,
  creditId: string,
  decision: NewDecision,
  nowMs: number,
): Promise<string> {
  const { state, decided_by: staffId, reason } = decision;
  const credit = await decideCredit(transaction, creditId, { ...decision, decided_at: nowMs });
  if (credit === undefined) throw await toRefusal(hasCredit(transaction, creditId));
  const action = state === 'credited' ? 'approve credit' : 'reject credit';
  await recordAction(transaction, { staffId, action, subject: creditId, note: reason }, nowMs);
  const { artist_id: artistId, sound_id: soundId, intent_id: intentId, yen, created_at } = credit;
  if (state === 'credited') {
    // Approved credits count towards the artist's usual day, and the same amount is not held again for a while.
    const counts = { counted: 0, credits: 1, approved: 1 };
    await addToCounts(transaction, [toArtistSubject(artistId)], counts, created_at);
    await recordDownloadReward(transaction, { intentId, artistId, soundId, yen }, nowMs);
  }
  return artistId;
}

async function toRefusal(exists: Promise<boolean>): Promise<Problem> {
  return (await exists) ? new Problem(409, 'このクレジットは審査待ちではありません。') : notFound();
}
