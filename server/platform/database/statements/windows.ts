/**
 * Rows in windows, each of which begins after the last key of the one before: memory and the time of a statement do not
 * grow with the table, and no transaction stays open. `select` returns the next rows after a key, in ascending order;
 * none at the end.
 */
export async function* inWindows<Row, Key>(
  first: Key,
  select: (after: Key) => Promise<readonly Row[]>,
  toKey: (row: Row) => Key,
): AsyncIterable<readonly Row[]> {
  for (let after = first; ;) {
    const rows = await select(after);
    const last = rows.at(-1);
    if (last === undefined) return;
    yield rows;
    after = toKey(last);
  }
}
