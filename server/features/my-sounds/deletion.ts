import { DAY_MS } from '../../../contract/values/time-units.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';
import { Problem, notFound } from '../../platform/http/problem.ts';
import { requireRecentLogIn } from '../accounts/recent-login.ts';
import { announceSounds } from '../artists/changes.ts';
import type { ChangeDeps, OwnChangeDeps } from './changes.ts';
import {
  countDeleted,
  eraseSoundRow,
  lockSoundToErase,
  selectSoundIds,
  selectSoundsToErase,
} from './deletion-queries.ts';
import { markDeleted } from './file-queries.ts';
import type { RecordedFile } from './file-queries.ts';
import { deleteMarked } from './files.ts';
import { FREE_DELETIONS } from './limits.ts';
import { lockOwnSound, updateSoundRow } from './queries.ts';
import { lockOwner } from './recording.ts';
import type { Changer } from './recording.ts';
import { queueSoundsMail } from './sounds-mail.ts';
import { deleteUploadsOf } from './uploads/leftovers.ts';
import { indexSound } from '../catalogue/service.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { SOUND_GRACE_DAYS } from '../catalogue/sound-rows.ts';

const SOUND_GRACE_MS = SOUND_GRACE_DAYS * DAY_MS;
const ERASED_AT_ONCE = 100;

/** What is needed to erase a sound. */
interface LockedSound {
  readonly seq: number;
  readonly artist_id: string;
  readonly audio_key: string;
  readonly thumbnail_key: string | null;
  readonly is_published: Flag;
}

/**
 * Deletes an artist's own sound: nobody can access it, it is erased a week later, and a link mailed to the artist
 * brings it back until then. Also available to blocked artists, who may always withdraw their own sounds. Throws
 * `Problem` 401 when the session has ended meanwhile, 403 when several deletions in a day need a more recent log-in,
 * 404.
 */
export async function deleteOwnSound(
  deps: OwnChangeDeps,
  soundId: string,
  { caller, device }: Changer,
): Promise<void> {
  const { database, clock } = deps;
  if (!isId(soundId)) throw notFound();
  const sound = await database.db.transaction().execute(async (transaction: Handle) => {
    const nowMs = clock.now();
    const owner = await lockOwner(transaction, caller, nowMs);
    const locked = await lockOwnSound(transaction, soundId, caller.id);
    if (locked === undefined) throw notFound();
    const today = await countDeleted(transaction, owner.id, { sinceMs: nowMs - DAY_MS });
    if (today >= FREE_DELETIONS) requireRecentLogIn(caller, nowMs);
    const is_withheld = locked.is_published === 1 ? 1 : locked.is_withheld;
    await updateSoundRow(transaction, locked.seq, { deleted_at: nowMs, is_published: 0, is_withheld });
    await indexSound(database, transaction, locked.seq);
    await queueSoundsMail(transaction, deps, owner, { nowMs, device });
    return locked;
  });
  if (sound.is_published === 1) await announceSounds(deps, { soundIds: [soundId], artistId: caller.id });
}

/** Erases the sounds that were deleted a week ago, until `ending` is aborted; the next run goes on. Never rejects. */
export async function eraseDeletedSounds(deps: ChangeDeps, ending?: AbortSignal): Promise<void> {
  const untilMs = deps.clock.now() - SOUND_GRACE_MS;
  const isDue = ({ deleted_at }: { readonly deleted_at: number | null }) =>
    deleted_at !== null && deleted_at <= untilMs;
  const select = () => selectSoundsToErase(deps.database.db, untilMs, ERASED_AT_ONCE);
  await eraseEach(deps, select, isDue, ending).catch((err: unknown) =>
    deps.logger.error({ err }, 'deleted sounds could not be erased; it is retried'),
  );
}

/**
 * Erases all sounds of an artist whose account is being deleted, with their files, one transaction each, until `ending`
 * is aborted; the next call goes on. Also deletes uploads in parts.
 */
export async function deleteSoundsOf(
  deps: ChangeDeps,
  artistId: string,
  ending?: AbortSignal,
): Promise<void> {
  await deleteUploadsOf(deps, artistId);
  await eraseEach(
    deps,
    () => selectSoundIds(deps.database.db, artistId, ERASED_AT_ONCE),
    ({ artist_id }) => artist_id === artistId,
    ending,
  );
}

/** Erases sounds until `select` finds none. `isDue` decides again, with the sound locked. */
async function eraseEach(
  deps: ChangeDeps,
  select: () => Promise<string[]>,
  isDue: (sound: NonNullable<Awaited<ReturnType<typeof lockSoundToErase>>>) => boolean,
  ending: AbortSignal | undefined,
): Promise<void> {
  for (;;) {
    const soundIds = await select();
    if (soundIds.length === 0) return;
    for (const soundId of soundIds) {
      if (ending?.aborted) return;
      const lock = async (transaction: Handle) => {
        const sound = await lockSoundToErase(transaction, soundId);
        return sound !== undefined && isDue(sound) ? sound : undefined;
      };
      await removeSound(deps, soundId, lock).catch((error: unknown) => {
        // Another process was faster, or the sound was brought back.
        if (!(error instanceof Problem && error.status === 404)) throw error;
      });
    }
  }
}

/**
 * Erases the sound that `lock` finds and all that refers to it, in its transaction, then its files; ledger entries of
 * past downloads are kept. Throws `Problem` 404 when it finds none.
 */
export async function removeSound(
  deps: ChangeDeps,
  soundId: string,
  lock: (transaction: Handle) => Promise<LockedSound | undefined>,
): Promise<void> {
  const { database, clock } = deps;
  if (!isId(soundId)) throw notFound();
  const { sound, files } = await database.db.transaction().execute(async (transaction: Handle) => {
    const locked = await lock(transaction);
    if (locked === undefined) throw notFound();
    const marked: RecordedFile[] = [{ file_key: locked.audio_key, kind: 'sound' }];
    if (locked.thumbnail_key !== null) marked.push({ file_key: locked.thumbnail_key, kind: 'thumbnail' });
    for (const file of marked) await markDeleted(transaction, file, clock.now());
    await eraseSoundRow(transaction, soundId, clock.now());
    await indexSound(database, transaction, locked.seq);
    return { sound: locked, files: marked };
  });
  if (sound.is_published === 1)
    await announceSounds(deps, { soundIds: [soundId], artistId: sound.artist_id });
  await deleteMarked(
    deps,
    files.map(({ file_key }) => file_key),
  );
}
