import { setImmediate as letOthersRun } from 'node:timers/promises';

/** Rows of one statement: about a millisecond on SQLite, whose other writers wait for it. */
const BATCH_SIZE = 500;

/** Outcome of a `delete` or `update` as Kysely reports it. */
type Changed = { readonly numDeletedRows: bigint } | { readonly numUpdatedRows: bigint };

/**
 * Runs a statement that changes at most `limit` rows until it changes fewer, each time in a transaction of its own, so
 * that no lock is held for long and other work runs in between. A crash leaves the remaining rows to the next run.
 * `change` must reduce the rows that it selects, or it would run forever. Returns the number of changed rows.
 */
export async function changeInBatches(
  change: (limit: number) => Promise<Changed>,
  limit = BATCH_SIZE,
): Promise<number> {
  for (let total = 0; ;) {
    const changed = await change(limit);
    const rows = 'numDeletedRows' in changed ? changed.numDeletedRows : changed.numUpdatedRows;
    total += Number(rows);
    if (rows < limit) return total;
    await letOthersRun();
  }
}
