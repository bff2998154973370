import type { RowChange } from '../../../contract/sounds/my-sounds.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import { Problem } from '../../platform/http/problem.ts';
import { announceSounds } from '../artists/changes.ts';
import { findGivenUses } from '../terms/terms.ts';
import { applyChange, checkEditable, checkVersion, isSeen } from './changes.ts';
import type { ApplyDeps, OwnChangeDeps } from './changes.ts';
import { findOwnSound, lockOwnSounds } from './queries.ts';
import { lockOwner, recordChanges } from './recording.ts';
import type { Changer } from './recording.ts';
import type { Handle } from '../../platform/database/handle.ts';

/** The result of each of several changes. */
export interface ChangedRows {
  readonly changedSeqs: readonly number[];
  readonly refused: { readonly id: string; readonly reason: string }[];
}

/**
 * Changes several sounds of an artist in one transaction, each all or none. One that cannot be changed stays as it was,
 * and is named with the reason that `changeSound` would give. Throws the `Problem` of `recordChanges`, and changes nothing.
 */
export async function changeSounds(
  deps: OwnChangeDeps,
  changer: Changer,
  rows: readonly RowChange[],
): Promise<ChangedRows> {
  const artistId = changer.caller.id;
  const applyDeps = { ...deps, givenUses: await findGivenUses(deps.database) };
  const { seqs, seen, refused } = await deps.database.db
    .transaction()
    .execute(async (transaction: Handle) => {
      const owner = await lockOwner(transaction, changer.caller, deps.clock.now());
      // In one order: two calls at once would wait for each other.
      const locked = await lockOwnSounds(
        transaction,
        rows.map(({ id }) => id),
        artistId,
      );
      const by = { ...changer, owner, way: 'several' as const };
      return recordChanges(transaction, deps, by, locked, () =>
        applyRows(transaction, applyDeps, artistId, rows),
      );
    });
  if (seen.length > 0) await announceSounds(deps, { soundIds: seen, artistId });
  return { changedSeqs: seqs, refused };
}

async function applyRows(transaction: Handle, deps: ApplyDeps, artistId: string, rows: readonly RowChange[]) {
  const result = {
    seqs: [] as number[],
    seen: [] as string[],
    refused: [] as { id: string; reason: string }[],
  };
  for (const { id, updated_at, ...change } of rows) {
    try {
      const own = isId(id) ? await findOwnSound(transaction, id, artistId) : undefined;
      const sound = checkVersion(checkEditable(own), updated_at);
      await applyChange(transaction, deps, sound, change);
      result.seqs.push(sound.seq);
      if (isSeen(sound, change)) result.seen.push(id);
    } catch (error) {
      // `applyChange` refuses before it writes.
      if (!(error instanceof Problem)) throw error;
      result.refused.push({ id, reason: error.message });
    }
  }
  return result;
}
