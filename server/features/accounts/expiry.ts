import { deleteOlder, deleteSomeOlder } from '../../platform/database/statements/delete-older.ts';
import type { Database } from '../../platform/database/open.ts';
import type { OlderRows } from '../../platform/database/statements/delete-older.ts';
import type { Platform } from '../../platform/http/context.ts';
import { deleteNamesOfDeleted } from './former-usernames.ts';
import { toOldFailures } from './password-failures.ts';

/** Deletes many more rows than the one that is added, but not so many that a call becomes slow. */
const ROWS_AT_ONCE = 50;

const EXPIRING = ['registrations', 'sessions', 'password_resets', 'address_changes', 'undo_links'] as const;
type Expiring = (typeof EXPIRING)[number];

/** Deletes some of the expired rows. Called where rows are added, outside their transaction. */
export async function deleteExpired({ db }: Database, table: Expiring, nowMs: number): Promise<void> {
  await deleteSomeOlder(db, toExpired(table, nowMs), ROWS_AT_ONCE);
}

/** Deletes everything of accounts that has expired, also on a site where no rows are added. */
export async function deleteAllExpired({
  database: { db },
  clock,
}: Pick<Platform, 'database' | 'clock'>): Promise<void> {
  const nowMs = clock.now();
  for (const table of EXPIRING) await deleteOlder(db, toExpired(table, nowMs));
  await deleteOlder(db, toOldFailures(nowMs));
  await deleteNamesOfDeleted(db, nowMs);
}

function toExpired(table: Expiring, nowMs: number): OlderRows<Expiring> {
  const key = table === 'registrations' || table === 'sessions' ? 'id' : 'token_hash';
  return { table, key: [key], when: ['expires_at', '<=', nowMs], skipsLocked: true };
}
