import { sql } from 'kysely';
import type { Database } from '../../../platform/database/open.ts';

type Db = Database['db'];

/** Tables whose next row would get a number that a row has, or had: one line each. */
export async function findUsedNumbers({ db, dialect }: Pick<Database, 'db' | 'dialect'>): Promise<string[]> {
  const found: string[] = [];
  for (const { table, column } of await (dialect === 'sqlite' ? listOfSqlite(db) : listOfPostgres(db))) {
    // Read first: numbers that are given meanwhile are higher.
    const { rows } = await sql<{ highest: number | null }>`
      select max(${sql.ref(column)}) as highest from ${sql.table(table)}`.execute(db);
    const highest = rows[0]?.highest ?? 0;
    const last = await (dialect === 'sqlite' ? readOfSqlite(db, table) : readOfPostgres(db, table, column));
    if (last < highest) found.push(`${table}.${column}: ${last} is the last number, ${highest} is in use`);
  }
  return found;
}

interface Numbered {
  readonly table: string;
  readonly column: string;
}

async function listOfSqlite(db: Db): Promise<readonly Numbered[]> {
  const { rows } = await sql<Numbered>`
    select tables.name as "table", columns.name as "column"
    from sqlite_schema as tables, pragma_table_info(tables.name) as columns
    where tables.type = 'table' and tables.sql like '%autoincrement%' and columns.pk = 1`.execute(db);
  return rows;
}

async function listOfPostgres(db: Db): Promise<readonly Numbered[]> {
  const { rows } = await sql<Numbered>`
    select relname as "table", attname as "column"
    from pg_attribute join pg_class on pg_class.oid = attrelid
    where attidentity <> '' and relnamespace = current_schema()::regnamespace order by 1`.execute(db);
  return rows;
}

async function readOfSqlite(db: Db, table: string): Promise<number> {
  const { rows } = await sql<{ seq: number }>`select seq from sqlite_sequence where name = ${table}`.execute(
    db,
  );
  return rows[0]?.seq ?? 0;
}

async function readOfPostgres(db: Db, table: string, column: string): Promise<number> {
  const { rows } = await sql<{ last: number | null }>`
    select pg_sequence_last_value(pg_get_serial_sequence(quote_ident(${table}), ${column})::regclass) as last`.execute(
    db,
  );
  return rows[0]?.last ?? 0;
}
