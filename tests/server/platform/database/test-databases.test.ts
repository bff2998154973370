import { sql } from 'kysely';
import { afterEach, expect, test } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { addMember } from '#support/members/accounts.ts';
import { openTestDatabase } from '#support/databases/databases.ts';

let open: Database;
afterEach(() => open.close());

async function readName(): Promise<string | undefined> {
  const { rows } = await sql<{ name: string }>`select current_database() as name`.execute(open.db);
  return rows[0]?.name;
}

/** The rows of each table. */
async function readRows() {
  const tables = await open.db.introspection.getTables();
  const counts = tables
    .filter(({ schema }) => schema === 'public')
    .map(async ({ name }) => {
      const { rows } = await sql`select * from ${sql.table(name)} order by 1`.execute(open.db);
      return [name, rows] as const;
    });
  return Object.fromEntries(await Promise.all(counts));
}

async function reopen() {
  await open.close();
  open = await openTestDatabase('postgres');
}

test('a PostgreSQL database that a test closes is restored for the next test', async () => {
  open = await openTestDatabase('postgres');
  const [name, rows] = [await readName(), await readRows()];
  await addMember(open, 'someone', 'someone@example.test');
  expect(await readRows()).not.toEqual(rows);
  await reopen();
  expect(await readName()).toBe(name);
  expect(await readRows()).toEqual(rows);
});

test('a database whose tables a test changed is not used again', async () => {
  open = await openTestDatabase('postgres');
  let name = await readName();
  await sql`alter table users add column surprise text`.execute(open.db);
  await reopen();
  expect(await readName()).not.toBe(name);
  name = await readName();
  await sql`alter table users disable trigger all`.execute(open.db);
  await reopen();
  expect(await readName()).not.toBe(name);
});
