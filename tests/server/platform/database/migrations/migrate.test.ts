import { fork } from 'node:child_process';
import { once } from 'node:events';
import { Kysely, sql } from 'kysely';
import { describe, expect, test } from 'vitest';
import { migrate } from '#server/platform/database/migrations/migrate.ts';
import type { Migration } from '#server/platform/database/migrations/migration.ts';
import { type Database, type DatabaseLocation, listPending } from '#server/platform/database/open.ts';
import { MIGRATIONS } from '#server/schema/migrations.ts';
import { openDatabase } from '#server/schema/open.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { bothDatabases, insertRow, listRows, openLocated } from '#support/databases/databases.ts';
import { startDoomed } from '#support/processes/doomed.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

const PROCESS = new URL('../open-and-hold.ts', import.meta.url);
const untyped = (database: Database) => database.db as unknown as Kysely<unknown>;

describe.each(bothDatabases)('opening a database on $name', ({ locateEmpty, open }) => {
  test('creates the tables once and keeps existing rows', async () => {
    const { location, remove } = await locateEmpty();
    const first = await openDatabase(location);
    await fillCatalogue(first, [{ key: 'a', title: '朝' }]);
    await first.close();
    const second = await openDatabase(location);
    expect(await listRows(second, 'sounds', {}, ['title'])).toMatchObject([{ title: '朝' }]);
    await second.close();
    await remove();
  });

  test('works for processes that start at the same time', async () => {
    const { location, remove } = await locateEmpty();
    const codes = await Promise.all(Array.from({ length: 4 }, () => runToEnd(location)));
    expect(codes).toEqual([0, 0, 0, 0]);
    await remove();
  });

  test('rolls back a migration that fails half-way, and repeats it at the next start', async () => {
    const database = await open();
    const broken: Migration = {
      name: '9999-broken',
      async up(db) {
        await sql`create table half_done (id integer)`.execute(db);
        throw new Error('power cut');
      },
    };
    const whole: Migration = {
      ...broken,
      up: async (db) => void (await sql`create table half_done (id integer)`.execute(db)),
    };
    const done = await sql<{ name: string }>`select name from migrations`.execute(database.db);
    const known = done.rows.map(({ name }): Migration => ({ name, up: async () => undefined }));
    const run = (migration: Migration) => migrate(untyped(database), database.dialect, [...known, migration]);

    await expect(run(broken)).rejects.toThrow('power cut');
    expect(await run(whole)).toEqual(['9999-broken']);
    expect(await run(whole)).toEqual([]);
    await database.close();
  });

  test.each([
    [['0001-first-tables', '0039-search-by-meaning'], /0001-first-tables.*0039-search.*commit e83f58b/],
    [['0001-first-tables', '0046-true-peaks', '0099-other'], /last migration is 0099-other/],
    [['2024-initial'], /not one of this program.*last migration is 2024-initial/],
  ])('names the migrations by which it knows that it cannot use a database: %j', async (names, reason) => {
    const { location, remove } = await locateEmpty();
    const old = names.map((name) => ({ name, up: () => Promise.resolve() }));
    await (await openDatabase(location, { migrations: old })).close();
    for (const access of ['serve', 'read'] as const)
      await expect(openDatabase(location, { access })).rejects.toThrow(reason);
    await expect(listPending(location, MIGRATIONS)).rejects.toThrow(reason);
    await remove();
  });

  test('a query reads the right columns after another process has added one', async () => {
    const { location, remove } = await locateEmpty();
    const [ours, newer] = [await openDatabase(location), await openDatabase(location)];
    await insertRow(ours, 'genres', { name: '朝' });
    const read = async () => (await sql`select genres.*, 'last' as mark from genres`.execute(ours.db)).rows;
    expect(await read()).toMatchObject([{ name: '朝', mark: 'last' }]);
    await sql`alter table genres add column colour text not null default 'red'`.execute(newer.db);
    expect(await read()).toMatchObject([{ name: '朝', colour: 'red', mark: 'last' }]);
    await Promise.all([ours.close(), newer.close()]);
    await remove();
  });

  test('survives a kill while it creates the tables', async () => {
    const place = await locateEmpty();
    const { hear, kill } = startDoomed(PROCESS, [JSON.stringify(place.location), 'hang']);
    await hear();
    await kill();
    const { db } = await openLocated(place);
    expect(await listRows({ db }, 'sounds', {}, ['seq'])).toEqual([]);
  });

  test('rolls back a failed transaction, including its search tokens', async () => {
    const database = await open();
    await expect(
      database.db.transaction().execute(async (transaction: Handle) => {
        await database.search.put(transaction, 1, ['xあ']);
        throw new Error('changed my mind');
      }),
    ).rejects.toThrow('changed my mind');
    expect(await database.search.count(database.db, 'xあ', 10)).toBe(0);
    await database.close();
  });

  test('queues concurrent transactions', async () => {
    const database = await open();
    await insertRow(database, 'genres', { name: 'counter' });
    const addOne = () =>
      database.db.transaction().execute(async (transaction) => {
        const { position } = await everyTable(transaction)
          .selectFrom('genres')
          .select('position')
          .forUpdate()
          .executeTakeFirstOrThrow();
        await everyTable(transaction)
          .updateTable('genres')
          .set({ position: position + 1 })
          .execute();
      });
    await Promise.all(Array.from({ length: 20 }, addOne));
    expect(await listRows(database, 'genres', {}, ['position'])).toMatchObject([{ position: 20 }]);
    await database.close();
  });
});

async function runToEnd(location: DatabaseLocation): Promise<number> {
  const child = fork(PROCESS, [JSON.stringify(location)], { stdio: 'inherit' });
  const [code] = (await once(child, 'exit')) as [number];
  return code;
}
