import type { DeleteResult, InsertResult, UpdateResult } from 'kysely';

interface Query<Row> {
  executeTakeFirst(): Promise<Row | undefined>;
}

/** Runs a statement; whether it has inserted, updated or deleted a row. */
export async function changesRows(
  query: Query<Partial<DeleteResult & InsertResult & UpdateResult>>,
): Promise<boolean> {
  const result = await query.executeTakeFirst();
  const rows = result?.numUpdatedRows ?? result?.numDeletedRows ?? result?.numInsertedOrUpdatedRows;
  return rows !== undefined && rows > 0n;
}

/** Whether a query finds a row. */
export async function exists(query: Query<unknown>): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}
