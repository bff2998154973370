import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import { MIGRATIONS } from './migrate.ts';
import { openDatabase } from './open.ts';
import type { TableLines } from './snapshot-postgres.ts';

/** Kept in another form by each database, and made by the migrations. */
const LEFT_OUT: ReadonlySet<string> = new Set(['sound_search', 'migrations']);

/**
 * Fills a new SQLite file with the rows of a PostgreSQL copy, so that the copy can be checked without a server. The
 * tables have the same columns; the search index stays empty. Returns the rows of each table.
 */
export async function loadIntoSqlite(
  file: string,
  migrations: readonly string[],
  parts: AsyncIterable<TableLines>,
): Promise<Record<string, number>> {
  const known = MIGRATIONS.filter(({ name }) => migrations.includes(name));
  await (await openDatabase({ kind: 'sqlite', file }, { migrations: known })).close();
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    database.exec('pragma journal_mode = off; pragma synchronous = off');
    const triggers = database.prepare("select name, sql from sqlite_schema where type = 'trigger'").all() as {
      name: string;
      sql: string;
    }[];
    for (const { name } of triggers) database.exec(`drop trigger ${quote(name)}`);
    const counts: Record<string, number> = {};
    for await (const { table, lines } of parts) {
      if (counts[table] === undefined && !LEFT_OUT.has(table)) database.exec(`delete from ${quote(table)}`);
      counts[table] = (counts[table] ?? 0) + lines.length;
      if (!LEFT_OUT.has(table)) insertLines(database, table, lines);
    }
    for (const { sql } of triggers) database.exec(sql);
    return counts;
  } finally {
    database.close();
  }
}

function insertLines(database: DatabaseSync, table: string, lines: readonly string[]): void {
  const rows = lines.map((line) => JSON.parse(line) as Record<string, SQLInputValue>);
  const columns = Object.keys(rows[0] ?? {});
  const names = columns.map(quote).join(', ');
  const insert = database.prepare(
    `insert into ${quote(table)} (${names}) values (${columns.map(() => '?').join(', ')})`,
  );
  database.exec('begin');
  for (const row of rows) insert.run(...columns.map((column) => row[column] ?? null));
  database.exec('commit');
}

function quote(name: string): string {
  return `"${name.replaceAll('"', '""')}"`;
}
