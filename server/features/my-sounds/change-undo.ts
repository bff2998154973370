import { clearMarks, insertChanges, selectChangedSeqs, selectChanges } from './change-queries.ts';
import type { StoredChange } from './change-queries.ts';
import type { Period } from './deletion-queries.ts';
import { lockChanged } from './queries.ts';
import { toReplaced } from './recording.ts';
import { readValues, writeValues } from './sound-values.ts';
import { toFormer } from './worsening.ts';
import type { ValueName } from './worsening.ts';
import type { Handle } from '../../platform/database/handle.ts';

/**
 * Which changes are undone: `all` of them with everything since, or those that a mail has `named`, and of these only
 * what nothing has replaced since.
 */
export type UndoneChanges = 'all' | 'named';

/**
 * Gives the sounds of a locked artist the values from before the changes in a period. Those that were public are
 * withheld until `releaseSounds`; sounds that are deleted stay as they are. Returns how many sounds were changed.
 */
export async function restoreChanges(
  transaction: Handle,
  artistId: string,
  period: Period,
  undone: UndoneChanges,
  nowMs: number,
): Promise<number> {
  const isUndone = ({ changed_at, is_worse, is_wider }: StoredChange) =>
    changed_at < (period.untilMs ?? Number.MAX_SAFE_INTEGER) &&
    (undone === 'all' || is_worse === 1 || is_wider === 1);
  const seqs = await selectChangedSeqs(transaction, artistId, period, undone === 'named');
  let restored = 0;
  for (const soundSeq of seqs) {
    const sound = await lockChanged(transaction, soundSeq);
    const current = (await readValues(transaction, [soundSeq])).get(soundSeq);
    if (sound === undefined || current === undefined) continue;
    const changes = await selectChanges(transaction, [soundSeq], period.sinceMs);
    const former = toFormer(changes, current, isUndone, undone === 'named');
    const names = Object.keys(former) as ValueName[];
    if (names.length === 0) continue;
    await writeValues(transaction, sound, former, nowMs);
    const change = { soundSeq, before: toReplaced(current, names), isWorse: false, isWider: false };
    await insertChanges(transaction, artistId, 'undo', [change], nowMs);
    restored += 1;
  }
  await clearMarks(transaction, artistId, period);
  return restored;
}
