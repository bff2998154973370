import { DAY_MS } from '../../../contract/values/time-units.ts';
import { DELETION_GRACE_DAYS } from '../../../contract/accounts/own-data.ts';
import type { DeletionPreview } from '../../../contract/accounts/own-data.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Caller, Platform } from '../../platform/http/context.ts';
import { addUndoLink } from '../accounts/undo-links.ts';
import { deleteAddressChange } from '../accounts/address-change-queries.ts';
import { deleteSessionsOf, deleteUnusedPasswordResets, updateMemberRow } from '../accounts/queries.ts';
import { requireRecentLogIn } from '../accounts/recent-login.ts';
import { requireSession } from '../accounts/sessions.ts';
import { announceAccount } from '../catalogue/search/reindexing.ts';
import { insertUnindexed } from '../catalogue/search/reindexing-queries.ts';
import { hasOpenPayout } from '../ledger/queries.ts';
import { lockBalance } from '../ledger/postings.ts';
import { readFigures } from '../ledger/figures.ts';
import { queueMail } from '../mail/service.ts';
import { lockStaff, recordAction, requireStaff } from '../staff/actions.ts';
import { toReason } from '../staff/reasons.ts';
import type { RecordedAction } from '../staff/actions.ts';
import { withholdSounds } from '../catalogue/sound-rows.ts';
import { deletionBlocked, otherBalance } from './deletion-blocked.ts';
import { countOwn, isLastStaff, lockMember } from './deletion-queries.ts';
import type { LockedMember } from './deletion-queries.ts';
import { IF_CHANGED_MIND, toDeletionMail } from './mails.ts';
import type { Handle } from '../../platform/database/handle.ts';

export const DELETION_GRACE_MS = DELETION_GRACE_DAYS * DAY_MS;

export type DeletionDeps = Pick<Platform, 'database' | 'clock' | 'catalogueChanged' | 'siteUrl' | 'siteName'>;

/** What the member would lose, and what prevents the deletion. */
export async function previewDeletion(
  { database: { db }, clock }: Pick<Platform, 'database' | 'clock'>,
  userId: string,
  pendingDays: number,
): Promise<DeletionPreview> {
  const { reward_balance, pending_reward } = await readFigures(
    db,
    userId,
    clock.now(),
    undefined,
    pendingDays,
  );
  return {
    ...(await countOwn(db, userId)),
    balance: reward_balance + pending_reward,
    payable: reward_balance,
    has_open_transfer: await hasOpenPayout(db, userId),
    is_last_staff: await isLastStaff(db, userId),
  };
}

/**
 * Hides the account, ends its sessions and mails the owner when everything will be deleted, with a link that cancels it.
 * `forfeit` is the balance that the member gives up, in yen; `device`: see `describeDevice`. Returns the time of the
 * deletion (epoch ms). Throws `Problem` 401 when the session has ended meanwhile, 403 without a recent log-in, 404, 400
 * for another balance, and 409 while the account cannot be deleted.
 */
export async function requestDeletion(
  deps: DeletionDeps,
  caller: Pick<Caller, 'id' | 'sessionId' | 'authenticatedAt'>,
  forfeit: number,
  device: string,
): Promise<number> {
  const nowMs = deps.clock.now();
  requireRecentLogIn(caller, nowMs);
  return hide(deps, caller.id, { forfeit, device, reason: '' }, (transaction) =>
    requireSession(transaction, caller, nowMs),
  );
}

/**
 * Same as `requestDeletion`, by the staff at a member's request, with a reason that the member reads. Throws `Problem`
 * 400, also without a reason, 403 for a caller who is not staff, 404, 409.
 */
export async function requestDeletionAsStaff(
  deps: DeletionDeps,
  memberId: string,
  staffId: string,
  { forfeit, reason }: { readonly forfeit: number; readonly reason: string },
): Promise<number> {
  const note = toReason(reason);
  return hide(deps, memberId, { forfeit, device: '運営者', reason: note }, async (transaction) => {
    await requireStaff(transaction, staffId);
    const action: RecordedAction = { staffId, action: 'delete member', subject: memberId, note };
    await recordAction(transaction, action, deps.clock.now());
  });
}

interface Wish {
  readonly forfeit: number;
  readonly device: string;
  readonly reason: string;
}

async function hide(
  deps: DeletionDeps,
  userId: string,
  wish: Wish,
  authorise: (transaction: Handle) => Promise<void>,
): Promise<number> {
  const nowMs = deps.clock.now();
  await deps.database.db.transaction().execute(async (transaction: Handle) => {
    // Locks all staff accounts first, as suspensions do: two deletions at once could leave no staff account.
    const staff = await lockStaff(transaction);
    const member = await lockMember(transaction, userId);
    if (member === undefined || member.deleted_at !== null) throw notFound();
    await authorise(transaction);
    if (staff.length === 1 && staff[0] === userId) throw deletionBlocked('last-staff');
    if (member.deletion_requested_at !== null) throw deletionBlocked('under-way');
    if (await hasOpenPayout(transaction, userId)) throw deletionBlocked('open-payout');
    const balance = await lockBalance(transaction, userId);
    if (balance !== wish.forfeit) throw otherBalance(balance);
    await updateMemberRow(transaction, userId, { deletion_requested_at: nowMs, ...toBlocked(member) });
    await deleteSessionsOf(transaction, userId);
    await deleteUnusedPasswordResets(transaction, userId);
    await deleteAddressChange(transaction, userId);
    await withholdSounds(transaction, userId);
    await insertUnindexed(transaction, userId);
    const context = { nowMs, device: wish.device };
    const undo = await addUndoLink(transaction, deps, userId, {}, context, IF_CHANGED_MIND);
    const deletion = { ...wish, atMs: nowMs + DELETION_GRACE_MS };
    await queueMail(transaction, toDeletionMail(deps, member, deletion, undo), nowMs, {
      priority: 'account',
    });
  });
  await announceAccount(deps, userId);
  return nowMs + DELETION_GRACE_MS;
}

/** `was_blocked` is that of a suspension, if there is one. */
function toBlocked({ is_blocked, was_blocked, suspension_reason }: LockedMember) {
  return { is_blocked: 1, was_blocked: suspension_reason === null ? is_blocked : was_blocked } as const;
}
