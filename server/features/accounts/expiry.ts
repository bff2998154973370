import type { Kysely } from 'kysely';
import { changeInBatches } from '../../platform/database/database.ts';
import type { Database, Schema } from '../../platform/database/database.ts';
import type { Platform } from '../../platform/http/http.ts';
import { deleteNamesOfDeleted } from './former-usernames.ts';
import { deleteOldFailures } from './password-failures.ts';

/** Deletes many more rows than the one that is added, while keeping each call cheap. */
const ROWS_AT_ONCE = 50;

const EXPIRING = ['registrations', 'sessions', 'password_resets', 'address_changes', 'undo_links'] as const;
type Expiring = (typeof EXPIRING)[number];

/** Deletes some of the expired rows. Called where rows are added, outside their transaction. */
export async function deleteExpired({ db }: Database, table: Expiring, nowMs: number): Promise<void> {
  await deleteSome(db, table, nowMs, ROWS_AT_ONCE);
}

/** Deletes everything of accounts that has expired, also on a site where no rows are added. */
export async function deleteAllExpired({
  database: { db },
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  const nowMs = clock.now();
  for (const table of EXPIRING) {
    await changeInBatches((limit) => deleteSome(db, table, nowMs, limit));
  }
  await changeInBatches((limit) => deleteOldFailures(db, nowMs, limit));
  await deleteNamesOfDeleted(db, nowMs);
}

function deleteSome(db: Kysely<Schema>, table: Expiring, nowMs: number, limit: number) {
  const column = table === 'registrations' || table === 'sessions' ? 'id' : 'token_hash';
  // Skips rows locked by others, so that concurrent deletions do not wait for each other.
  return db
    .deleteFrom(table)
    .where(column, 'in', (query) =>
      query
        .selectFrom(table)
        .select(column)
        .where('expires_at', '<=', nowMs)
        .orderBy('expires_at')
        .limit(limit)
        .forUpdate()
        .skipLocked(),
    )
    .executeTakeFirstOrThrow();
}
