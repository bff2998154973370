import type { RowChange } from '../../../contract/my-sounds.ts';
import { isId } from '../../platform/database/database.ts';
import { Problem } from '../../platform/http/http.ts';
import { announceSounds } from '../artists/artists.ts';
import { findGivenUses } from '../terms/terms.ts';
import { applyChange, checkEditable, checkVersion, isSeen } from './changes.ts';
import type { ChangeDeps } from './changes.ts';
import { findOwnSound, lockOwnSounds } from './queries.ts';

/** What became of each of several changes. */
export interface ChangedRows {
  readonly changedSeqs: readonly number[];
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

/**
 * Changes several sounds of an artist in one transaction, each all or none. One that cannot be changed stays as it was,
 * and is named with the reason that `changeSound` would give.
 */
export async function changeSounds(
  deps: ChangeDeps,
  artistId: string,
  rows: readonly RowChange[],
): Promise<ChangedRows> {
  const applyDeps = { ...deps, givenUses: await findGivenUses(deps.database) };
  const { seqs, seen, refused } = await deps.database.db.transaction().execute(async (transaction) => {
    // In one order: two calls at once would wait for each other.
    await lockOwnSounds(
      transaction,
      rows.map(({ id }) => id),
      artistId,
    );
    const result = {
      seqs: [] as number[],
      seen: [] as string[],
      refused: [] as { id: string; reason: string }[],
    };
    for (const { id, updated_at, ...change } of rows) {
      try {
        const own = isId(id) ? await findOwnSound(transaction, id, artistId) : undefined;
        const sound = checkVersion(checkEditable(own), updated_at);
        await applyChange(transaction, applyDeps, sound, change);
        result.seqs.push(sound.seq);
        if (isSeen(sound, change)) result.seen.push(id);
      } catch (error) {
        // `applyChange` refuses before it writes.
        if (!(error instanceof Problem)) throw error;
        result.refused.push({ id, reason: error.message });
      }
    }
    return result;
  });
  if (seen.length > 0) await announceSounds(deps, { soundIds: seen, artistId });
  return { changedSeqs: seqs, refused };
}
