import type { Transaction } from 'kysely';
import type { Flag, Schema } from '../../platform/database/database.ts';
import { Problem, notFound } from '../../platform/http/http.ts';
import { announceSound } from '../artists/artists.ts';
import type { ChangeDeps } from './changes.ts';
import { markDeleted } from './file-queries.ts';
import type { NotedFile } from './file-queries.ts';
import { deleteMarked } from './files.ts';
import { deleteSoundRow, lockOwnSound, selectSoundIds } from './queries.ts';
import { deleteUploadsOf } from './uploads/leftovers.ts';
import { indexSound, isSoundId } from '../catalogue/catalogue.ts';

const DELETED_AT_ONCE = 100;

/** What is needed to delete a sound. */
interface LockedSound {
  readonly seq: number;
  readonly artist_id: string;
  readonly audio_key: string;
  readonly thumbnail_key: string | null;
  readonly is_published: Flag;
}

/**
 * Deletes an artist's own sound and all that refers to it; ledger entries of past downloads are kept. Also available to
 * blocked artists, who may always withdraw their own sounds. Throws `Problem` 404.
 */
export async function deleteOwnSound(deps: ChangeDeps, soundId: string, artistId: string): Promise<void> {
  await removeSound(deps, soundId, (transaction) => lockOwnSound(transaction, soundId, artistId));
}

/**
 * Deletes all sounds of an artist whose account is being deleted, with their files, one transaction each, until `ending`
 * is aborted; the next call goes on. Also deletes uploads in parts.
 */
export async function deleteSoundsOf(
  deps: ChangeDeps,
  artistId: string,
  ending?: AbortSignal,
): Promise<void> {
  const { db } = deps.database;
  await deleteUploadsOf(deps, artistId);
  for (;;) {
    const soundIds = await selectSoundIds(db, artistId, DELETED_AT_ONCE);
    if (soundIds.length === 0) return;
    for (const soundId of soundIds) {
      if (ending?.aborted) return;
      await removeSound(deps, soundId, (transaction) => lockOwnSound(transaction, soundId, artistId)).catch(
        (error: unknown) => {
          // Another process was faster.
          if (!(error instanceof Problem && error.status === 404)) throw error;
        },
      );
    }
  }
}

/** Deletes the sound that `lock` finds, in its transaction, then its files. Throws `Problem` 404 when it finds none. */
export async function removeSound(
  deps: ChangeDeps,
  soundId: string,
  lock: (transaction: Transaction<Schema>) => Promise<LockedSound | undefined>,
): Promise<void> {
  const { database, clock } = deps;
  if (!isSoundId(soundId)) throw notFound();
  const { sound, files } = await database.db.transaction().execute(async (transaction) => {
    const locked = await lock(transaction);
    if (locked === undefined) throw notFound();
    const marked: NotedFile[] = [{ file_key: locked.audio_key, kind: 'sound' }];
    if (locked.thumbnail_key !== null) marked.push({ file_key: locked.thumbnail_key, kind: 'thumbnail' });
    for (const file of marked) await markDeleted(transaction, file, clock.now());
    await deleteSoundRow(transaction, locked.seq);
    await indexSound(database, transaction, locked.seq);
    return { sound: locked, files: marked };
  });
  if (sound.is_published === 1) await announceSound(deps, { soundId, artistId: sound.artist_id });
  await deleteMarked(
    deps,
    files.map(({ file_key }) => file_key),
  );
}
