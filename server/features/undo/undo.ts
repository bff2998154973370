import type { Handle } from '../../platform/database/handle.ts';
import type { Platform } from '../../platform/http/context.ts';
import { deleteAddressChange } from '../accounts/address-change-queries.ts';
import { toUndoneMail } from '../accounts/mails.ts';
import type { Owner } from '../accounts/mails.ts';
import { replaceResetLink } from '../accounts/password-reset.ts';
import { deleteSessionsOf, findAccount, lockPasswordHash, updateMemberRow } from '../accounts/queries.ts';
import { hashToken } from '../accounts/tokens.ts';
import { deleteUndoLink, deleteUndoLinks, getUndoLink, wrongUndoLink } from '../accounts/undo-links.ts';
import { queueMail } from '../mail/service.ts';
import { STAGES } from './undoable.ts';
import type { Found, Stage, UndoContext, UndoReply, Undoable, Undone } from './undoable.ts';

type UndoDeps = Platform & UndoContext['deps'] & { readonly undoables: readonly Undoable[] };

const NO_DETAILS = { sounds: [], changed_count: 0, changed_sounds: [], widened_downloads: 0 };

/** Describes what a link would undo; changes nothing. Throws `Problem` 400 for a wrong, used or expired link. */
export async function describeUndo(deps: UndoDeps, token: string): Promise<UndoReply> {
  const { db } = deps.database;
  const link = await getUndoLink(db, token, deps.clock.now());
  const found: Found[] = [];
  for (const undoable of sortToRead(deps.undoables)) found.push(await undoable.find(db, link));
  return {
    ...NO_DETAILS,
    ...found.find(({ details }) => details !== undefined)?.details,
    changes: found.flatMap(({ changes }) => changes),
    changed_at: new Date(link.created_at).toISOString(),
    can_keep_password: found.some(({ canKeepPassword }) => canKeepPassword),
  };
}

/**
 * Restores an account to its state before a change, by the link in the mail about it: all that features declare as
 * undoable. It locks out the person who made the change: the sessions, the password, other links and pending addresses
 * end, and the restored address gets a link to choose a new password. Throws `Problem` 400 for a wrong, used or expired
 * link, and those of undoables.
 */
export async function undoChange(deps: UndoDeps, token: string): Promise<void> {
  const { database, clock, undoables } = deps;
  const nowMs = clock.now();
  const link = await getUndoLink(database.db, token, nowMs);
  const { user_id: userId, created_at: sinceMs } = link;
  const undone = await database.db.transaction().execute(async (transaction: Handle) => {
    const parts: (Undone & { readonly stage: Stage })[] = [];
    for (const stage of Object.keys(STAGES) as Stage[]) {
      if (stage === 'member') await lockOwner(transaction, userId, token, nowMs);
      for (const undoable of undoables.filter((each) => each.stage === stage))
        parts.push({ stage, ...(await undoable.undo(transaction, { deps, link, nowMs })) });
    }
    // Again, because the address and the name have been restored.
    const owner = await lockOwner(transaction, userId, token, nowMs);
    await deleteUndoLinks(transaction, userId, sinceMs);
    const sorted = sortToRead(parts);
    const mail = toUndoneMail(deps, owner, {
      labels: sorted.flatMap(({ changes = [] }) => changes),
      notes: sorted.flatMap(({ notes = [] }) => notes),
      token: await replaceAccess(transaction, userId, nowMs),
    });
    await queueMail(transaction, mail, nowMs, { priority: 'account' });
    return sorted;
  });
  const work = new Set(undone.flatMap(({ afterCommit = [] }) => afterCommit));
  for (const run of work) await run(deps, userId);
}

/**
 * Undoes only what the mail of a link is about: nothing else changes, and the password stays. Throws `Problem` 400 for a
 * wrong, used or expired link, and for links of other changes.
 */
export async function undoKeepingPassword(deps: UndoDeps, token: string): Promise<void> {
  const { database, clock, undoables } = deps;
  const nowMs = clock.now();
  const link = await getUndoLink(database.db, token, nowMs);
  const { afterCommit = [] } = await database.db.transaction().execute(async (transaction: Handle) => {
    const owner = await lockOwner(transaction, link.user_id, token, nowMs);
    for (const undoable of undoables) {
      const undone = await undoable.undoNamed?.(transaction, { deps, link, nowMs }, owner);
      if (undone === undefined) continue;
      await deleteUndoLink(transaction, hashToken(token));
      await queueMail(transaction, undone.mail, nowMs, { priority: 'account' });
      return undone;
    }
    throw wrongUndoLink();
  });
  for (const run of afterCommit) await run(deps, link.user_id);
}

function sortToRead<Item extends { readonly stage: Stage }>(items: readonly Item[]): Item[] {
  return items.toSorted((a, b) => STAGES[a.stage] - STAGES[b.stage]);
}

/** Locks the member of a link. Throws `Problem` 400 if the link was used before the lock. */
async function lockOwner(db: Handle, userId: string, token: string, nowMs: number): Promise<Owner> {
  await lockPasswordHash(db, userId);
  await getUndoLink(db, token, nowMs);
  const owner = await findAccount(db, userId);
  if (owner === undefined) throw wrongUndoLink();
  return owner;
}

/** Revokes all access: the person who made the change may know the password. Returns a token to choose a new one. */
async function replaceAccess(db: Handle, userId: string, nowMs: number): Promise<string> {
  await updateMemberRow(db, userId, { password_hash: null });
  await deleteSessionsOf(db, userId);
  await deleteAddressChange(db, userId);
  return replaceResetLink(db, userId, nowMs);
}
