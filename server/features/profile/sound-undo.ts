import type { Platform } from '../../platform/http/context.ts';
import { deleteUndoLink, getUndoLink, wrongUndoLink } from '../accounts/undo-links.ts';
import { hashToken } from '../accounts/tokens.ts';
import { insertUnindexed } from '../catalogue/search/reindexing-queries.ts';
import { countDownloadsSince } from '../downloads/sound-figures.ts';
import { queueMail } from '../mail/service.ts';
import { toMail } from '../mail/layout.ts';
import { countChangedSounds, selectWidened } from '../my-sounds/change-queries.ts';
import { countDeleted, restoreDeleted, selectDeletedNames } from '../my-sounds/deletion-queries.ts';
import { nameChanges, toMailedAt } from '../my-sounds/sounds-mail.ts';
import { restoreChanges } from '../my-sounds/change-undo.ts';
import type { NamedChanges } from '../my-sounds/sounds-mail.ts';
import type { UndoneChanges } from '../my-sounds/change-undo.ts';
import { announceAccount } from '../catalogue/search/reindexing.ts';
import { releaseSounds } from '../catalogue/sound-rows.ts';
import { lockProfile } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

type Link = Awaited<ReturnType<typeof getUndoLink>>;

/** The deletions and changes that the mail of a link names. */
function toPeriod(link: Link) {
  return { sinceMs: link.created_at, untilMs: toMailedAt(link) };
}

/** What `restoreOwnSounds` would do by a link; nothing if it is the link of something else. */
export interface Restorable {
  /** Names of deleted sounds. */
  readonly deleted: string[];
  readonly changed: NamedChanges;
}

export async function listRestorable(
  { database: { db } }: Pick<Platform, 'database'>,
  link: Link,
): Promise<Restorable> {
  if (link.mail_id === null) return { deleted: [], changed: { count: 0, lines: [] } };
  const period = toPeriod(link);
  return {
    deleted: await selectDeletedNames(db, link.user_id, period),
    changed: await nameChanges(db, link.user_id, period),
  };
}

/** How many sounds a member has deleted, and changed, since a time. */
export interface SoundCounts {
  readonly deleted: number;
  readonly changed: number;
}

export async function countSoundsSince(db: Handle, userId: string, sinceMs: number): Promise<SoundCounts> {
  return {
    deleted: await countDeleted(db, userId, { sinceMs }),
    changed: (await countChangedSounds(db, userId, { sinceMs })).all,
  };
}

/** How often sounds were downloaded after their artist, or somebody else, had allowed more for them since a time. */
export async function countWidenedDownloads(db: Handle, userId: string, sinceMs: number): Promise<number> {
  let downloads = 0;
  for (const { id, since } of await selectWidened(db, userId, sinceMs)) {
    downloads += await countDownloadsSince(db, id, Number(since));
  }
  return downloads;
}

/**
 * Brings back the sounds that a member, locked in the transaction, has deleted in a period, and the former values of
 * those that were changed, see `restoreChanges`. Those that were public are public again unless they are hidden, or
 * their artist is. Returns their numbers; then call `announceAccount` after the commit if there are any.
 */
export async function restoreSounds(
  transaction: Handle,
  userId: string,
  period: { readonly sinceMs: number; readonly untilMs?: number },
  { undone, nowMs }: { readonly undone: UndoneChanges; readonly nowMs: number },
): Promise<SoundCounts> {
  const deleted = await restoreDeleted(transaction, userId, period);
  const changed = await restoreChanges(transaction, userId, period, undone, nowMs);
  if (deleted + changed === 0) return { deleted, changed };
  await releaseSounds(transaction, userId);
  await insertUnindexed(transaction, userId);
  return { deleted, changed };
}

/**
 * Brings back the sounds that the mail of a link names, for an artist who deleted or changed them by mistake: nothing
 * else changes, and the password stays. Throws `Problem` 400 for a wrong, used or expired link, and for links of other
 * changes.
 */
export async function restoreOwnSounds(deps: Platform, token: string): Promise<void> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  const userId = await database.db.transaction().execute(async (transaction: Handle) => {
    const link = await getUndoLink(transaction, token, nowMs);
    const member = await lockProfile(transaction, link.user_id);
    // Again, because it may have been used before the lock.
    await getUndoLink(transaction, token, nowMs);
    if (link.mail_id === null || member === undefined) throw wrongUndoLink();
    const period = toPeriod(link);
    const downloads = await countWidenedDownloads(transaction, member.id, period.sinceMs);
    const { deleted, changed } = await restoreSounds(transaction, member.id, period, {
      undone: 'named',
      nowMs,
    });
    if (deleted + changed === 0) throw wrongUndoLink();
    await deleteUndoLink(transaction, hashToken(token));
    const mail = toMail(deps, member.email, 'サウンドを元に戻しました', [
      `${member.username} さん`,
      ...(changed > 0
        ? [
            `メールのリンクから、変更した${changed.toLocaleString('ja-JP')}件のサウンドを元の内容に戻しました。`,
          ]
        : []),
      ...(deleted > 0
        ? [
            `メールのリンクから、削除した${deleted.toLocaleString('ja-JP')}件のサウンドを元に戻しました。公開していたサウンドは、ふたたび公開されています。`,
          ]
        : []),
      ...toDownloadsNote(downloads),
      { label: 'サウンドは、プロフィールで確認できます。', url: `${deps.siteUrl}/profile` },
    ]);
    await queueMail(transaction, mail, nowMs, { priority: 'account' });
    return member.id;
  });
  await announceAccount(deps, userId);
}

/** What the owner has to know of downloads under terms that are taken back. */
export function toDownloadsNote(downloads: number): string[] {
  if (downloads === 0) return [];
  return [
    `使いみちかContent IDの変更から元に戻すまでのあいだに、対象のサウンドは${downloads.toLocaleString('ja-JP')}回ダウンロードされました。その利用証明書は、ダウンロードしたときの条件のまま有効です。`,
  ];
}
