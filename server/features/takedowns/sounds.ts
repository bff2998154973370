import { UNTITLED } from '../../../contract/sounds/sounds.ts';
import { invalidateCache } from '../../platform/database/statements/cached.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { queueMail } from '../mail/service.ts';
import { recordAction, requireStaff } from '../staff/actions.ts';
import { toReason } from '../staff/reasons.ts';
import type { RecordedAction } from '../staff/actions.ts';
import { removeSound } from '../my-sounds/deletion.ts';
import { indexSound } from '../catalogue/service.ts';
import { toDeletedMail, toHiddenMail, toUnhiddenMail } from './sound-mails.ts';
import { lockModeratedSound } from './queries.ts';
import type { ModeratedSound } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { updateSoundRow } from '../catalogue/sound-rows.ts';

export type TakedownDeps = Pick<
  Platform,
  'database' | 'storage' | 'clock' | 'logger' | 'catalogueChanged' | 'siteUrl' | 'siteName'
>;

/**
 * Hides a sound from everyone except its artist, who gets the reason by mail. Returns false and changes nothing when it
 * is already hidden. Throws `Problem` 400 for an invalid reason, 403 when `staffId` is not a staff account, 404.
 */
export async function hideSound(
  deps: TakedownDeps,
  soundId: string,
  staffId: string,
  reason: string,
): Promise<boolean> {
  const line = toReason(reason);
  return moderateSound(deps, soundId, staffId, async (transaction, sound) => {
    if (!(await markHidden(transaction, sound, { staffId, reason: line }, deps.clock.now()))) return false;
    await queueMail(transaction, toHiddenMail(deps, sound, line), deps.clock.now());
    return true;
  });
}

/**
 * Undoes `hideSound`: the artist's own visibility setting applies again, unless the artist is suspended. Returns false
 * when it is not hidden. Throws `Problem` 403, 404.
 */
export async function unhideSound(deps: TakedownDeps, soundId: string, staffId: string): Promise<boolean> {
  return moderateSound(deps, soundId, staffId, async (transaction, sound) => {
    const unhidden = await markUnhidden(transaction, sound, staffId, deps.clock.now());
    if (unhidden === undefined) return false;
    await queueMail(transaction, toUnhiddenMail(deps, sound, unhidden.isPublished), deps.clock.now());
    return true;
  });
}

/**
 * Deletes a sound permanently, as its artist could, and mails the artist the reason. Throws `Problem` 400, 403, 404.
 * `settle` replaces the mail for a decision that is more than a takedown: it runs in the same transaction, with the
 * sound locked, and what it throws undoes the deletion.
 */
export async function deleteSoundAsStaff(
  deps: TakedownDeps,
  soundId: string,
  staffId: string,
  reason: string,
  settle: (transaction: Handle, sound: ModeratedSound) => Promise<void> = (transaction, sound) =>
    queueMail(transaction, toDeletedMail(deps, sound, toReason(reason)), deps.clock.now()),
): Promise<void> {
  const line = toReason(reason);
  const { clock } = deps;
  await removeSound(deps, soundId, async (transaction) => {
    await requireStaff(transaction, staffId);
    const sound = await lockModeratedSound(transaction, soundId);
    if (sound === undefined) return undefined;
    const note = `${sound.artist}: ${sound.title || UNTITLED}: ${line}`;
    const action: RecordedAction = { staffId, action: 'delete sound', subject: sound.id, note };
    await recordAction(transaction, action, clock.now());
    await settle(transaction, sound);
    return sound;
  });
}

/**
 * Makes all changes of a decision about a sound in one transaction, with the sound locked. `decide` returns whether it
 * changed what visitors see. Throws `Problem` 403, 404, and what `decide` throws.
 */
export async function moderateSound(
  deps: Pick<TakedownDeps, 'database' | 'catalogueChanged'>,
  soundId: string,
  staffId: string,
  decide: (transaction: Handle, sound: ModeratedSound) => Promise<boolean>,
): Promise<boolean> {
  const { database } = deps;
  if (!isId(soundId)) throw notFound();
  const isDecided = await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    const sound = await lockModeratedSound(transaction, soundId);
    if (sound === undefined) throw notFound();
    if (!(await decide(transaction, sound))) return false;
    await indexSound(database, transaction, sound.seq);
    return true;
  });
  if (isDecided) {
    invalidateCache(database);
    deps.catalogueChanged();
  }
  return isDecided;
}

/**
 * Hides a locked sound and records it, within `moderateSound`; the mail is up to the caller. `reason` comes from
 * `toReason`. Returns false and changes nothing when it is already hidden.
 */
export async function markHidden(
  transaction: Handle,
  sound: ModeratedSound,
  { staffId, reason }: { readonly staffId: string; readonly reason: string },
  nowMs: number,
): Promise<boolean> {
  if (sound.hidden_reason !== null) return false;
  const is_withheld = sound.is_published === 1 ? 1 : sound.is_withheld;
  await updateSoundRow(transaction, sound.seq, { hidden_reason: reason, is_withheld, is_published: 0 });
  const action: RecordedAction = { staffId, action: 'hide sound', subject: sound.id, note: reason };
  await recordAction(transaction, action, nowMs);
  return true;
}

/** Undoes `markHidden` in the same way; returns whether the sound is public now. Undefined when it was not hidden. */
export async function markUnhidden(
  transaction: Handle,
  sound: ModeratedSound,
  staffId: string,
  nowMs: number,
): Promise<{ readonly isPublished: boolean } | undefined> {
  if (sound.hidden_reason === null) return undefined;
  const isArtistShown = sound.suspension_reason === null && sound.deletion_requested_at === null;
  const isPublished = sound.is_withheld === 1 && isArtistShown && sound.deleted_at === null;
  const publication = isPublished ? ({ is_published: 1, is_withheld: 0 } as const) : {};
  await updateSoundRow(transaction, sound.seq, { hidden_reason: null, ...publication });
  await recordAction(transaction, { staffId, action: 'unhide sound', subject: sound.id }, nowMs);
  return { isPublished };
}
