import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { bothDatabases } from '#support/databases/databases.ts';

/** `table.column` for each column; the tables of SQLite's own index count as one. */
async function readColumns({ db, dialect }: Database): Promise<string[]> {
  const query =
    dialect === 'sqlite'
      ? sql<{ name: string }>`
          select tables.name || '.' || columns.name as name
          from sqlite_master as tables join pragma_table_info(tables.name) as columns
          where tables.type = 'table' and tables.name not like 'sound_search_%' and tables.name not like 'sqlite_%'`
      : sql<{ name: string }>`
          select table_name || '.' || column_name as name from information_schema.columns
          where table_schema = 'public'`;
  return (await query.execute(db)).rows.map(({ name }) => name);
}

/** The columns that lines such as "| `table`: `column`, …" and "- `table`: `column`, …" name, in the order of the page. */
function readClassified(): string[] {
  const page = readFileSync('docs/retention.md', 'utf8');
  return [...page.matchAll(/^(?:\||-) `(\w+)`: ((?:`\w+`(?:, )?)+)/gm)].flatMap(([, table, columns = '']) =>
    [...columns.matchAll(/`(\w+)`/g)].map(([, column]) => `${table}.${column}`),
  );
}

test('docs/retention.md classifies every column of both databases once', async () => {
  const existing = new Set<string>();
  for (const { open } of bothDatabases) {
    const database = await open();
    onTestFinished(() => database.close());
    for (const column of await readColumns(database)) existing.add(column);
  }
  const classified = readClassified();
  expect(
    [...existing].filter((column) => !classified.includes(column)),
    'columns to classify',
  ).toEqual([]);
  expect(
    classified.filter((column) => !existing.has(column)),
    'columns that do not exist',
  ).toEqual([]);
  expect(
    classified.filter((column, index) => classified.indexOf(column) !== index),
    'named twice',
  ).toEqual([]);
});
