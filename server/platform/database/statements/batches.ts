import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Rows of one statement: about a millisecond on SQLite, whose other writers wait for it. */
const BATCH_SIZE = 500;

/**
 * Runs a statement that changes at most `limit` rows until it changes fewer, each time in a transaction of its own, so
 * that no lock is held for long and other work runs in between. A crash leaves the remaining rows to the next run.
 * `change` returns how many it changed, and must reduce the rows that it selects, or it would run forever. Returns the
 * number of changed rows.
 */
export async function changeInBatches(
  change: (limit: number) => Promise<number>,
  limit = BATCH_SIZE,
): Promise<number> {
  for (let total = 0; ;) {
    const changed = await change(limit);
    total += changed;
    if (changed < limit) return total;
    await letOthersRun();
  }
}
