import type { Database } from '../../../platform/database/database.ts';
import { toLevel, toPopularity } from '../popularity.ts';
import { indexSound } from '../service.ts';
import { isSoundId, isVisible } from '../visibility.ts';
import { deleteFavorite, insertFavorite, lockSound, updateRanks } from './queries.ts';

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
  if (!isSoundId(soundId)) return Promise.resolve(undefined);
  return database.db.transaction().execute(async (transaction) => {
    const sound = await lockSound(transaction, soundId);
    if (sound === undefined || !isVisible(sound, userId)) return undefined;

    const { seq } = sound;
    const isFavorited = !(await deleteFavorite(transaction, userId, seq));
    if (isFavorited) await insertFavorite(transaction, userId, seq, nowMs);

    const favorite_count = sound.favorite_count + (isFavorited ? 1 : -1);
    const popularity = toPopularity(sound.download_count, favorite_count);
    await updateRanks(transaction, seq, { favorite_count, popularity });
    // The index only stores the levels of counts, which seldom change.
    const isIndexed =
      toLevel(favorite_count) === toLevel(sound.favorite_count) &&
      toLevel(popularity) === toLevel(sound.popularity);
    if (!isIndexed) await indexSound(database, transaction, seq);
    return { isFavorited, favoriteCount: favorite_count };
  });
}
