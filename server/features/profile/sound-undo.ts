import type { Transaction } from 'kysely';
import type { Schema } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/http/http.ts';
import { deleteUndoLink, getUndoLink, hashToken, wrongUndoLink } from '../accounts/accounts.ts';
import { insertUnindexed } from '../catalogue/catalogue.ts';
import { queueMail, toMail } from '../mail/mail.ts';
import { DELETION_MAIL_MS, restoreDeleted, selectDeletedNames } from '../my-sounds/my-sounds.ts';
import { announceAccount, findDeletionRequest } from '../own-data/own-data.ts';
import { releaseSounds } from '../takedowns/takedowns.ts';
import { findProfileRow, lockProfile } from './queries.ts';

type Link = Awaited<ReturnType<typeof getUndoLink>>;

/** The deletions that the mail of a link names. */
function toPeriod({ created_at: sinceMs }: Link) {
  return { sinceMs, untilMs: sinceMs + DELETION_MAIL_MS };
}

/** The sounds that `restoreOwnSounds` would bring back by a link; empty if it is the link of something else. */
export async function listRestorable(
  { database }: Pick<Platform, 'database'>,
  link: Link,
): Promise<string[]> {
  return link.mail_id === null ? [] : selectDeletedNames(database.db, link.user_id, toPeriod(link));
}

/**
 * Brings back the sounds that a member, locked in the transaction, has deleted in a period. Those that were public are
 * public again unless they are hidden, or their artist is. Returns their number; then call `announceAccount` after the
 * commit.
 */
export async function restoreSounds(
  transaction: Transaction<Schema>,
  userId: string,
  period: { readonly sinceMs: number; readonly untilMs?: number },
): Promise<number> {
  const restored = await restoreDeleted(transaction, userId, period);
  if (restored === 0) return 0;
  const isSuspended = (await findProfileRow(transaction, userId))?.suspension_reason !== null;
  const isDeleted = (await findDeletionRequest(transaction, userId)) !== undefined;
  if (!isSuspended && !isDeleted) await releaseSounds(transaction, userId);
  await insertUnindexed(transaction, userId);
  return restored;
}

/**
 * Brings back the sounds that the mail of a link names, for an artist who deleted them by mistake: nothing else
 * changes, and the password stays. Throws `Problem` 400 for a wrong, used or expired link, and for links of other
 * changes.
 */
export async function restoreOwnSounds(deps: Platform, token: string): Promise<void> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  const userId = await database.db.transaction().execute(async (transaction) => {
    const link = await getUndoLink(transaction, token, nowMs);
    const member = await lockProfile(transaction, link.user_id);
    // Again, because it may have been used before the lock.
    await getUndoLink(transaction, token, nowMs);
    if (link.mail_id === null || member === undefined) throw wrongUndoLink();
    const restored = await restoreSounds(transaction, member.id, toPeriod(link));
    if (restored === 0) throw wrongUndoLink();
    await deleteUndoLink(transaction, hashToken(token));
    const mail = toMail(deps, member.email, 'サウンドを元に戻しました', [
      `${member.username} さん`,
      `メールのリンクから、削除した${restored.toLocaleString('ja-JP')}件のサウンドを元に戻しました。公開していたサウンドは、ふたたび公開されています。`,
      { label: 'サウンドは、プロフィールで確認できます。', url: `${deps.siteUrl}/profile` },
    ]);
    await queueMail(transaction, mail, nowMs, { priority: 'account' });
    return member.id;
  });
  await announceAccount(deps, userId);
}
