import type { Database } from '../../platform/database/database.ts';

/** Deletes many more rows than the one that is added, while keeping each call cheap. */
const ROWS_AT_ONCE = 50;

/** Deletes some of the expired rows. Called where rows are added, outside their transaction. */
export async function deleteExpired(
  { db }: Database,
  table: 'registrations' | 'sessions' | 'password_resets' | 'address_changes',
  nowMs: number,
): Promise<void> {
  const column = table === 'registrations' || table === 'sessions' ? 'id' : 'token_hash';
  // Skips rows locked by others, so that concurrent deletions do not wait for each other.
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
