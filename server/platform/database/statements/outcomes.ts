import type { DeleteResult, InsertResult, UpdateResult } from 'kysely';

interface Query<Row> {
  executeTakeFirst(): Promise<Row | undefined>;
}

type Change = Query<Partial<DeleteResult & InsertResult & UpdateResult>>;

/** Runs a statement. Returns how many rows it has inserted, updated or deleted. */
export async function countChanged(query: Change): Promise<number> {
  const result = await query.executeTakeFirst();
  return Number(result?.numUpdatedRows ?? result?.numDeletedRows ?? result?.numInsertedOrUpdatedRows ?? 0);
}

/** Runs a statement; whether it has inserted, updated or deleted a row. */
export async function changesRows(query: Change): Promise<boolean> {
  return (await countChanged(query)) > 0;
}

/** Whether a query finds a row. */
export async function exists(query: Query<unknown>): Promise<boolean> {
  return (await query.executeTakeFirst()) !== undefined;
}
