import type { Handle } from '#server/platform/database/handle.ts';
import { sql } from 'kysely';
import { expect, vi } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';

/**
 * Starts two calls so that both are under way at once. On PostgreSQL both wait, the first one before the second, for
 * what `lock` has locked; SQLite has one writer at a time, and takes them in turn.
 */
export async function startInTurn<First, Second>(
  { db, dialect }: Database,
  lock: (transaction: Handle) => Promise<unknown>,
  first: () => Promise<First>,
  second: () => Promise<Second>,
): Promise<[First, Second]> {
  if (dialect === 'sqlite') return Promise.all([first(), second()]);
  const started = await db.transaction().execute(async (transaction) => {
    await lock(transaction);
    const one = first();
    await untilWaiting(db, 1);
    const both = Promise.all([one, second()]);
    await untilWaiting(db, 2);
    // In an object: they end after this transaction.
    return { both };
  });
  return started.both;
}

/** Waits until this many transactions of a PostgreSQL database wait for a lock. */
export async function untilWaiting(db: Handle, count: number, timeoutMs = 10_000): Promise<void> {
  const waiting = sql`select 1 from pg_stat_activity
    where datname = current_database() and wait_event_type = 'Lock'`;
  await vi.waitFor(async () => expect((await waiting.execute(db)).rows).toHaveLength(count), timeoutMs);
}
