import type { LockName } from '#server/platform/database/locks.ts';
import { sql } from 'kysely';
import { beforeEach, describe, expect, test, vi } from 'vitest';
import { useDatabase } from '#support/databases/use-database.ts';
import { bothDatabases, openTestDatabase } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

describe.each(bothDatabases)('row locks on $name', ({ name, open }) => {
  const database = useDatabase(open);

  beforeEach(async () => {
    const genres = ['a', 'b'].map((genre) => ({ name: genre }));
    await everyTable(database.db).insertInto('genres').values(genres).execute();
  });

  test('are part of a query on databases that have them', async () => {
    const query = everyTable(database.db).selectFrom('genres').select('name').orderBy('id').limit(1);
    const locks = { 'for update': query.forUpdate(), 'for no key update': query.forNoKeyUpdate() };
    for (const [lock, locking] of Object.entries(locks)) {
      expect(locking.compile().sql.includes(lock)).toBe(name === 'postgres');
      expect(await locking.execute()).toEqual([{ name: 'a' }]);
    }
    expect(await query.forShare().noWait().execute()).toEqual([{ name: 'a' }]);
  });

  test('are part of a subquery', async () => {
    const { numDeletedRows } = await everyTable(database.db)
      .deleteFrom('genres')
      .where('id', 'in', (query) =>
        query.selectFrom('genres').select('id').orderBy('id').limit(1).forUpdate().skipLocked(),
      )
      .executeTakeFirstOrThrow();
    expect(numDeletedRows).toBe(1n);
  });
});

test('only one transaction at a time holds a lock key on PostgreSQL', async () => {
  const database = await openTestDatabase('postgres');
  const { db } = database;
  const passed: string[] = [];
  const taken = Promise.withResolvers<void>();
  const ended = Promise.withResolvers<void>();
  const pass = (lock: LockName, key?: string) =>
    db.transaction().execute(async (transaction) => {
      await database.takeLock(transaction, lock, key);
      passed.push(`${lock} ${key ?? ''}`);
    });
  const first = db.transaction().execute(async (transaction) => {
    await database.takeLock(transaction, 'reports');
    await database.takeLock(transaction, 'uploads', 'a');
    taken.resolve();
    await ended.promise;
    passed.push('first');
  });
  await taken.promise;
  const waiting = [pass('reports'), pass('uploads', 'a')];
  await pass('uploads', 'b');
  await pass('watching', 'a');
  await vi.waitFor(async () => {
    const { rows } = await sql`
      select 1 from pg_locks where locktype = 'advisory' and not granted
      and database = (select oid from pg_database where datname = current_database())`.execute(db);
    expect(rows).toHaveLength(2);
  });
  expect(passed).toEqual(['uploads b', 'watching a']);
  ended.resolve();
  await Promise.all([first, ...waiting]);
  expect(passed.slice(2).sort()).toEqual(['first', 'reports ', 'uploads a']);
  expect(passed[2]).toBe('first');
  await database.close();
});
