import type { Flag } from '../../platform/database/tables/parts.ts';
import type { ReplacedValues } from './worsening.ts';

interface MergeableChange extends ReplacedValues {
  readonly is_worse: Flag;
  readonly is_wider: Flag;
  readonly changed_at: number;
}

export interface MergedChanges<Change> {
  /** Changes that were merged into others. */
  readonly removed: Change[];
  /** The changes that they were merged into, with their new values. */
  readonly merged: Change[];
}

/**
 * Reduces the changes of a sound, oldest first, to a number of them. Each time, the two that are closest in time become
 * one, with the time of the later: a loop is put together before what people did on other days. What both replaced is
 * what the earlier one did.
 */
export function mergeChanges<Change extends MergeableChange>(
  changes: readonly Change[],
  most: number,
): MergedChanges<Change> {
  const left = [...changes];
  const removed: Change[] = [];
  while (left.length > most) {
    const index = findClosest(left);
    const [earlier, later] = left.slice(index, index + 2);
    if (earlier === undefined || later === undefined) break;
    removed.push(earlier);
    left.splice(index, 2, {
      ...later,
      before: { ...later.before, ...earlier.before },
      is_worse: later.is_worse || earlier.is_worse,
      is_wider: later.is_wider || earlier.is_wider,
    });
  }
  return { removed, merged: left.filter((change) => !changes.includes(change)) };
}

/** The index of the change after which the next one came soonest. */
function findClosest(changes: readonly MergeableChange[]): number {
  const gaps = changes
    .slice(1)
    .map(({ changed_at }, index) => changed_at - (changes[index]?.changed_at ?? 0));
  return gaps.indexOf(Math.min(...gaps));
}
