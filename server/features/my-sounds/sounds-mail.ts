import { DAY_MS } from '../../../contract/values/time-units.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import type { Platform } from '../../platform/http/context.ts';
import { addUndoLink, deleteUndoLink, findSoundsLink } from '../accounts/undo-links.ts';
import { queueMail, takeBackMail } from '../mail/service.ts';
import { countChangedSounds, findFirstMarked, selectMarked } from './change-queries.ts';
import { selectDeletedNames } from './deletion-queries.ts';
import type { Period } from './deletion-queries.ts';
import { NAMED_SOUNDS_MAX, SOUNDS_MAIL_MS } from './limits.ts';
import { describeChanged, toSoundsMail } from './mails.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { SOUND_GRACE_DAYS } from '../catalogue/sound-rows.ts';

/** Changed sounds, as a mail and the page of its link name them. */
export interface NamedChanges {
  readonly count: number;
  /** At most `NAMED_SOUNDS_MAX`. */
  readonly lines: string[];
}

/** Until when the mail of a link waits for further deletions and changes. */
export function toMailedAt({
  created_at,
  mailed_at,
}: {
  readonly created_at: number;
  readonly mailed_at: number | null;
}): number {
  return mailed_at ?? created_at + SOUNDS_MAIL_MS;
}

interface SoundsEvent {
  readonly nowMs: number;
  /** See `describeDevice`. */
  readonly device: string;
}

/**
 * Mails an artist that sounds were deleted or changed, with the link that undoes it. A mail of the ten minutes before,
 * which has not been sent, is replaced by one about all. It also names the changes of the last 24 hours that were too few
 * for a mail.
 */
export async function queueSoundsMail(
  transaction: Handle,
  deps: Pick<Platform, 'siteUrl' | 'siteName'>,
  owner: { readonly id: string; readonly username: string; readonly email: string },
  { nowMs, device }: SoundsEvent,
): Promise<void> {
  let sinceMs = nowMs;
  let mailedAt = nowMs + SOUNDS_MAIL_MS;
  let unmailedMs = nowMs - DAY_MS;
  const earlier = await findSoundsLink(transaction, owner.id);
  if (earlier !== undefined) {
    const dueMs = toMailedAt(earlier);
    if (dueMs > nowMs && (await takeBackMail(transaction, earlier.mail_id, dueMs))) {
      await deleteUndoLink(transaction, earlier.token_hash);
      sinceMs = earlier.created_at;
      mailedAt = dueMs;
    } else unmailedMs = Math.max(unmailedMs, dueMs);
  }
  sinceMs = Math.min(sinceMs, (await findFirstMarked(transaction, owner.id, unmailedMs)) ?? sinceMs);
  const mailId = randomId();
  const names = await selectDeletedNames(transaction, owner.id, { sinceMs });
  const changed = await nameChanges(transaction, owner.id, { sinceMs });
  const context = { nowMs: sinceMs, device, mailId, mailedAt };
  const mail = await toSoundsMail(
    deps,
    owner,
    { names, changed, erasedAtMs: sinceMs + SOUND_GRACE_DAYS * DAY_MS },
    (advice) => addUndoLink(transaction, deps, owner.id, {}, context, advice),
  );
  await queueMail(transaction, mail, nowMs, { id: mailId, dueMs: mailedAt, priority: 'account' });
}

/** What the mail of a period names. */
export async function nameChanges(
  transaction: Handle | Platform['database']['db'],
  artistId: string,
  period: Period,
): Promise<NamedChanges> {
  const { marked: count } = await countChangedSounds(transaction, artistId, period);
  if (count === 0) return { count, lines: [] };
  // A sound may have several changes.
  const rows = await selectMarked(transaction, artistId, period, NAMED_SOUNDS_MAX * 2);
  const bySound = Map.groupBy(rows, ({ sound_seq }) => sound_seq);
  return { count, lines: [...bySound.values()].slice(0, NAMED_SOUNDS_MAX).map(describeChanged) };
}
