import { DatabaseSync } from 'node:sqlite';
import type { SQLInputValue } from 'node:sqlite';
import type { Migration } from '../migrations/migration.ts';
import { openMigrated } from '../open.ts';
import {
  LIMITS_TABLE,
  MIGRATIONS_TABLE,
  SEARCH_TABLE,
  UNPRONOUNCED_TABLE,
  listSqliteTables,
} from './rows.ts';
import type { CopyPart, Counted } from './rows.ts';

/** Made by the migrations, of another form, or unknown to SQLite. */
const LEFT_OUT: ReadonlySet<string> = new Set([SEARCH_TABLE, MIGRATIONS_TABLE, LIMITS_TABLE]);

/**
 * Fills a new SQLite file with the rows of a PostgreSQL copy. The tables have the same columns; the search index stays
 * empty, and every sound waits to be indexed if `isUsed`: a server will open the file. Returns the rows of each table.
 */
export async function loadIntoSqlite(
  file: string,
  migrations: readonly Migration[],
  parts: AsyncIterable<CopyPart>,
  { isUsed = false } = {},
): Promise<Record<string, number>> {
  await (await openMigrated({ kind: 'sqlite', file }, { migrations })).close();
  const database = new DatabaseSync(file, { enableForeignKeyConstraints: false });
  try {
    database.exec('pragma journal_mode = off; pragma synchronous = off');
    const triggers = database.prepare("select name, sql from sqlite_schema where type = 'trigger'").all() as {
      name: string;
      sql: string;
    }[];
    for (const { name } of triggers) database.exec(`drop trigger ${quote(name)}`);
    const counts: Record<string, number> = {};
    for (const table of listSqliteTables(database))
      if (!LEFT_OUT.has(table)) database.exec(`delete from ${quote(table)}`);
    for await (const part of parts) {
      if ('counted' in part) {
        setCounted(database, part.counted);
        continue;
      }
      counts[part.table] = (counts[part.table] ?? 0) + part.lines.length;
      if (!LEFT_OUT.has(part.table)) insertLines(database, part.table, part.lines);
    }
    if (isUsed && listSqliteTables(database).includes(UNPRONOUNCED_TABLE))
      database.exec(`insert or ignore into ${UNPRONOUNCED_TABLE} (sound_seq) select seq from sounds`);
    for (const { sql } of triggers) database.exec(sql);
    return counts;
  } finally {
    database.close();
  }
}

/** Only tables that count have a row there. */
function setCounted(database: DatabaseSync, counted: readonly Counted[]): void {
  const update = database.prepare('update sqlite_sequence set seq = ? where name = ?');
  const insert = database.prepare('insert into sqlite_sequence (name, seq) values (?, ?)');
  for (const { table, value } of counted)
    if (update.run(value, table).changes === 0) insert.run(table, value);
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
