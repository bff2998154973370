import { isId } from '../../../platform/database/statements/random-id.ts';
import type { Database } from '../../../platform/database/open.ts';
import { toLevel, toPopularity } from '../popularity.ts';
import { indexSound } from '../service.ts';
import { isVisible } from '../visibility.ts';
import { deleteFavorite, insertFavorite, lockSound, selectFavoriteSoundIds } from './queries.ts';
import { updateSoundRow } from '../sound-rows.ts';
import type { Handle } from '../../../platform/database/handle.ts';

const REMOVED_AT_ONCE = 100;

export interface Favorite {
  readonly isFavorited: boolean;
  /** Of all members. */
  readonly favoriteCount: number;
}

/**
 * Adds or removes a member's favourite; undefined when the sound does not exist, or is private and not theirs. `nowMs`:
 * epoch ms.
 *
 * The sound is locked first, which serialises concurrent calls: the row, the counts and the search index stay
 * consistent. All writers lock in the same order, so there are no deadlocks.
 */
export function toggleFavorite(
  database: Database,
  soundId: string,
  userId: string,
  nowMs: number,
): Promise<Favorite | undefined> {
  if (!isId(soundId)) return Promise.resolve(undefined);
  return database.db.transaction().execute(async (transaction: Handle) => {
    const sound = await lockSound(transaction, soundId);
    if (sound === undefined || !isVisible(sound, userId)) return undefined;

    const { seq } = sound;
    const isFavorited = !(await deleteFavorite(transaction, userId, seq));
    if (isFavorited) await insertFavorite(transaction, userId, seq, nowMs);

    const favoriteCount = await addToCount(database, transaction, sound, isFavorited ? 1 : -1);
    return { isFavorited, favoriteCount };
  });
}

/** Removes the favourites of a member whose account is being deleted, one transaction each, until `ending` is aborted. */
export async function removeFavorites(
  database: Database,
  userId: string,
  ending?: AbortSignal,
): Promise<void> {
  for (;;) {
    if (ending?.aborted) return;
    const soundIds = await selectFavoriteSoundIds(database.db, userId, REMOVED_AT_ONCE);
    if (soundIds.length === 0) return;
    for (const soundId of soundIds) {
      await database.db.transaction().execute(async (transaction: Handle) => {
        const sound = await lockSound(transaction, soundId);
        if (sound === undefined || !(await deleteFavorite(transaction, userId, sound.seq))) return;
        await addToCount(database, transaction, sound, -1);
      });
    }
  }
}

/** Changes the counts of a locked sound. Returns the number of its favourites. */
async function addToCount(
  database: Database,
  transaction: Handle,
  sound: NonNullable<Awaited<ReturnType<typeof lockSound>>>,
  change: 1 | -1,
): Promise<number> {
  const favorite_count = sound.favorite_count + change;
  const popularity = toPopularity(sound.download_count, favorite_count);
  await updateSoundRow(transaction, sound.seq, { favorite_count, popularity });
  // The index only stores the levels of counts, which seldom change.
  const isIndexed =
    toLevel(favorite_count) === toLevel(sound.favorite_count) &&
    toLevel(popularity) === toLevel(sound.popularity);
  if (!isIndexed) await indexSound(database, transaction, sound.seq);
  return favorite_count;
}
