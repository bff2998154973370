import type { Database } from '../../platform/database/database.ts';

/** Each new row makes room for itself many times over, and no call has much to do. */
const ROWS_AT_ONCE = 50;

/** Deletes some of what has expired. Called where rows are added, outside their transaction. */
export async function deleteExpired(
  { db }: Database,
  table: 'registrations' | 'sessions' | 'password_resets' | 'address_changes',
  nowMs: number,
): Promise<void> {
  const column = table === 'registrations' || table === 'sessions' ? 'id' : 'token_hash';
  // Somebody else's rows are left to them: two who delete never wait for one another.
  await db
    .deleteFrom(table)
    .where(column, 'in', (query) =>
      query
        .selectFrom(table)
        .select(column)
        .where('expires_at', '<=', nowMs)
        .orderBy('expires_at')
        .limit(ROWS_AT_ONCE)
        .forUpdate()
        .skipLocked(),
    )
    .execute();
}
