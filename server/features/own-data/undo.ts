import type { Handle } from '../../platform/database/handle.ts';
import { updateMemberRow } from '../accounts/queries.ts';
import { announceAccount } from '../catalogue/search/reindexing.ts';
import { insertUnindexed } from '../catalogue/search/reindexing-queries.ts';
import { releaseSounds } from '../catalogue/sound-rows.ts';
import type { Undoable } from '../undo/undoable.ts';
import { findDeletionRequest, lockMember } from './deletion-queries.ts';
import { toDeletionCancelledMail } from './mails.ts';

const LABEL = 'アカウントの削除';

/**
 * The deletion of the account. The link of its own mail also cancels it alone, for an owner who has changed their mind;
 * other links are for owners whose password somebody else may know.
 */
export const DELETION_UNDO: Undoable = {
  stage: 'account deletion',
  async find(db, { user_id, created_at }) {
    const requestedAt = await findDeletionRequest(db, user_id);
    return {
      changes: requestedAt !== undefined && requestedAt >= created_at ? [LABEL] : [],
      canKeepPassword: requestedAt === created_at,
    };
  },
  async undo(transaction, { link }) {
    if (!(await cancelDeletion(transaction, link.user_id, link.created_at))) return undefined;
    return { changes: [LABEL], afterCommit: [announceAccount] };
  },
  async undoNamed(transaction, { deps, link: { user_id, created_at } }, owner) {
    const isItsLink = (await findDeletionRequest(transaction, user_id)) === created_at;
    if (!isItsLink || !(await cancelDeletion(transaction, user_id, created_at))) return undefined;
    return { mail: toDeletionCancelledMail(deps, owner), afterCommit: [announceAccount] };
  },
};

/** Cancels a deletion that was requested since a time. Returns whether there was one. */
async function cancelDeletion(transaction: Handle, userId: string, sinceMs: number): Promise<boolean> {
  const requestedAt = await findDeletionRequest(transaction, userId);
  if (requestedAt === undefined || requestedAt < sinceMs) return false;
  const member = await lockMember(transaction, userId);
  if (member === undefined || member.deletion_requested_at === null || member.deleted_at !== null)
    return false;
  const isSuspended = member.suspension_reason !== null;
  await updateMemberRow(transaction, userId, {
    deletion_requested_at: null,
    is_blocked: isSuspended ? 1 : member.was_blocked,
    was_blocked: isSuspended ? member.was_blocked : 0,
  });
  await releaseSounds(transaction, userId);
  await insertUnindexed(transaction, userId);
  return true;
}
