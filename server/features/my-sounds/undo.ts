import type { Handle } from '../../platform/database/handle.ts';
import { announceAccount } from '../catalogue/search/reindexing.ts';
import { insertUnindexed } from '../catalogue/search/reindexing-queries.ts';
import { releaseSounds } from '../catalogue/sound-rows.ts';
import { countDownloadsSince } from '../downloads/sound-figures.ts';
import type { UndoLink, Undoable } from '../undo/undoable.ts';
import { countChangedSounds, selectWidened } from './change-queries.ts';
import { restoreChanges } from './change-undo.ts';
import type { UndoneChanges } from './change-undo.ts';
import { countDeleted, restoreDeleted, selectDeletedNames } from './deletion-queries.ts';
import type { Period } from './deletion-queries.ts';
import { toDownloadsNote, toRestoredMail } from './mails.ts';
import { nameChanges, toMailedAt } from './sounds-mail.ts';

/**
 * Deleted and changed sounds. The link of a mail about sounds also brings back only those that the mail names, for an
 * artist who deleted or changed them by mistake.
 */
export const SOUND_UNDO: Undoable = {
  stage: 'sounds',
  async find(db, link) {
    const { user_id: artistId, created_at: sinceMs, mail_id } = link;
    const named = toPeriod(link);
    const sounds = mail_id === null ? [] : await selectDeletedNames(db, artistId, named);
    const changed = mail_id === null ? { count: 0, lines: [] } : await nameChanges(db, artistId, named);
    return {
      changes: toLabels({
        deleted: await countDeleted(db, artistId, { sinceMs }),
        changed: (await countChangedSounds(db, artistId, { sinceMs })).all,
      }),
      canKeepPassword: sounds.length + changed.count > 0,
      details: {
        sounds,
        changed_count: changed.count,
        changed_sounds: changed.lines,
        widened_downloads: await countWidenedDownloads(db, artistId, sinceMs),
      },
    };
  },
  async undo(transaction, { link: { user_id: artistId, created_at: sinceMs }, nowMs }) {
    const notes = toDownloadsNote(await countWidenedDownloads(transaction, artistId, sinceMs));
    const restored = await restore(transaction, artistId, { sinceMs }, 'all', nowMs);
    const changes = toLabels(restored);
    return { changes, notes, afterCommit: changes.length > 0 ? [announceAccount] : [] };
  },
  async undoNamed(transaction, { deps, link, nowMs }, owner) {
    if (link.mail_id === null) return undefined;
    const period = toPeriod(link);
    const downloads = await countWidenedDownloads(transaction, owner.id, period.sinceMs);
    const restored = await restore(transaction, owner.id, period, 'named', nowMs);
    if (restored.deleted + restored.changed === 0) return undefined;
    return { mail: toRestoredMail(deps, owner, restored, downloads), afterCommit: [announceAccount] };
  },
};

/** The deletions and changes that the mail of a link names. */
function toPeriod(link: UndoLink): Period {
  return { sinceMs: link.created_at, untilMs: toMailedAt(link) };
}

/** How often sounds were downloaded after their artist, or somebody else, had allowed more for them since a time. */
async function countWidenedDownloads(db: Handle, artistId: string, sinceMs: number): Promise<number> {
  let downloads = 0;
  for (const { id, since } of await selectWidened(db, artistId, sinceMs)) {
    downloads += await countDownloadsSince(db, id, Number(since));
  }
  return downloads;
}

/** How many sounds were deleted, and changed. */
interface SoundCounts {
  readonly deleted: number;
  readonly changed: number;
}

/**
 * Brings back the sounds that a locked artist has deleted in a period, and the former values of those that were changed,
 * see `restoreChanges`. Those that were public are public again unless `releaseSounds` excepts them.
 */
async function restore(
  transaction: Handle,
  artistId: string,
  period: Period,
  undone: UndoneChanges,
  nowMs: number,
): Promise<SoundCounts> {
  const deleted = await restoreDeleted(transaction, artistId, period);
  const changed = await restoreChanges(transaction, artistId, period, undone, nowMs);
  if (deleted + changed > 0) {
    await releaseSounds(transaction, artistId);
    await insertUnindexed(transaction, artistId);
  }
  return { deleted, changed };
}

function toLabels({ deleted, changed }: SoundCounts): string[] {
  const counted = { サウンドの削除: deleted, サウンドの変更: changed };
  return Object.entries(counted).flatMap(([label, count]) =>
    count > 0 ? [`${label}（${count.toLocaleString('ja-JP')}件）`] : [],
  );
}
