import { randomBytes } from 'node:crypto';
import { constants, copyFileSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { sql } from 'kysely';
import type { Insertable, Selectable, Updateable } from 'kysely';
import { inject, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '#server/schema/migrations.ts';
import type { Migration } from '#server/platform/database/migrations/migration.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database, DatabaseLocation, OpenOptions } from '#server/platform/database/open.ts';
import type { Schema } from '#server/platform/database/schema.ts';
import { isSoak } from '#support/depth.ts';
import { type Reset, createReset } from './postgres-reset.ts';
import { runStatement } from './postgres-server.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const usesBoth = isSoak || process.env['RECORD_QUERIES'] !== undefined;

/**
 * SQLite and PostgreSQL, for `describe.each(bothDatabases)('…on $name', ({ open }) => …)`: for tests of what can differ
 * between them, such as queries, locks, constraints, migrations and what a killed process leaves.
 */
export const bothDatabases = (['sqlite', 'postgres'] as const).map((name) => ({
  name,
  /** `test` for a rule above the database, between tests of what can differ. */
  rule: test.skipIf(name === 'postgres' && !usesBoth),
  open: () => openTestDatabase(name),
  locate: () => locateTestDatabase(name),
  locateEmpty: () => locateEmptyDatabase(name),
}));

/** For tests of rules above the database: on PostgreSQL only in `npm run soak` and `npm run record-queries`. */
export const ruleDatabases = bothDatabases.filter(({ name }) => usesBoth || name === 'sqlite');

/** Adds a migration to those of this program until the test ends, so that databases made before lack it. */
export function addMigration(migration: Migration): void {
  const known = MIGRATIONS as Migration[];
  known.push(migration);
  onTestFinished(() => void known.splice(known.indexOf(migration), 1));
}

export interface TestLocation {
  readonly location: DatabaseLocation;
  /** The setting of a program that uses it. */
  readonly env: { readonly DATA_DIR: string } | { readonly DATABASE_URL: string };
  /** Removes the database and its files. */
  remove(): Promise<void>;
}

/**
 * An empty migrated database; `close` also removes it. SQLite does not wait for the disk: no
 * process that uses it may be killed. For those, open the result of `locateTestDatabase`.
 */
export async function openTestDatabase(kind: DatabaseLocation['kind']): Promise<Database> {
  if (kind === 'postgres') return openPostgres();
  const { location, remove } = await locateTestDatabase(kind);
  const database = await openDatabase(location);
  await sql`pragma synchronous = off`.execute(database.db);
  return {
    ...database,
    async close() {
      await database.close();
      await remove();
    },
  };
}

/** Databases that earlier tests of this file closed. */
const idle: (TestLocation & { readonly reset: Reset })[] = [];

async function openPostgres(): Promise<Database> {
  const place = idle.pop() ?? (await locateReusable());
  const database = await openDatabase(place.location);
  return {
    ...database,
    async close() {
      await database.close();
      if (await place.reset.run()) idle.push(place);
      else await place.remove();
    },
  };
}

async function locateReusable() {
  const place = await copyPostgres();
  return { ...place, reset: await createReset(place.location.url) };
}

/** The location of an empty migrated database, also for other processes: a copy of the run's template. */
export async function locateTestDatabase(kind: DatabaseLocation['kind']): Promise<TestLocation> {
  if (kind === 'postgres') return copyPostgres();
  const place = createSqliteFolder();
  copyTemplate(place.location.file);
  return place;
}

/** Creates an empty migrated database file. */
export function copyTemplate(file: string): void {
  copyFileSync(inject('sqliteTemplate'), file, constants.COPYFILE_FICLONE);
}

/** Opens a database that other processes use too, or that is killed with them, until the test ends. */
export async function openLocated(
  { location, remove }: TestLocation,
  options?: Partial<OpenOptions>,
): Promise<Database> {
  const database = await openDatabase(location, options);
  onTestFinished(async () => {
    await database.close();
    await remove();
  });
  return database;
}

/** The location of a database without tables, for tests of migrations. */
export async function locateEmptyDatabase(kind: DatabaseLocation['kind']): Promise<TestLocation> {
  return kind === 'postgres' ? createPostgres('') : createSqliteFolder();
}

function createSqliteFolder() {
  const folder = mkdtempSync(join(tmpdir(), 'otoichi-sqlite-'));
  return {
    location: { kind: 'sqlite', file: join(folder, 'site.sqlite') } as const,
    env: { DATA_DIR: folder },
    remove: async () => rmSync(folder, { recursive: true, force: true }),
  };
}

const copyPostgres = () => createPostgres(`template ${inject('postgres').template} strategy file_copy`);

/** A copy of a PostgreSQL database that nobody is connected to. */
export function copyDatabase(url: string) {
  return createPostgres(`template ${new URL(url).pathname.slice(1)} strategy file_copy`);
}

async function createPostgres(options: string) {
  const { adminUrl } = inject('postgres');
  const name = `test_${randomBytes(8).toString('hex')}`;
  await runStatement(adminUrl, `create database ${name} ${options}`);
  const url = new URL(adminUrl);
  url.pathname = name;
  return {
    location: { kind: 'postgres', url: url.href } as const,
    env: { DATABASE_URL: url.href },
    remove: () => runStatement(adminUrl, `drop database if exists ${name} with (force)`),
  };
}

/** A database as one process sees it, which can lose it by `isDown`. */
export function makeBreakable({ db, dialect }: Database) {
  const state = { isDown: false };
  const database = {
    dialect,
    get db() {
      if (state.isDown) throw new Error('the database is down');
      return db;
    },
  } as Database;
  return { state, database };
}

type Connected = Pick<Database, 'db'>;
type Row<Table extends keyof Schema> = Selectable<Schema[Table]>;

/** Inserts any number of rows, in statements that both databases take. */
export async function insertMany<Table extends keyof Schema>(
  { db }: Connected,
  table: Table,
  rows: readonly Insertable<Schema[Table]>[],
): Promise<void> {
  for (let at = 0; at < rows.length; at += 200)
    await everyTable(db)
      .insertInto(table)
      .values(rows.slice(at, at + 200) as never)
      .execute();
}

export function insertRow<Table extends keyof Schema>(
  database: Connected,
  table: Table,
  row: Insertable<Schema[Table]>,
): Promise<void> {
  return insertMany(database, table, [row]);
}

/** Changes the rows that have the values of `where`. */
export async function updateRows<Table extends keyof Schema>(
  { db }: Connected,
  table: Table,
  values: Updateable<Schema[Table]>,
  where: Partial<Row<Table>> = {},
): Promise<void> {
  await everyTable(db)
    .updateTable(table as 'users')
    .set(values as object)
    .where((eb) => eb.and(where))
    .execute();
}

/** Deletes the rows that have the values of `where`. */
export async function deleteRows<Table extends keyof Schema>(
  { db }: Connected,
  table: Table,
  where: Partial<Row<Table>> = {},
): Promise<void> {
  await everyTable(db)
    .deleteFrom(table as 'users')
    .where((eb) => eb.and(where))
    .execute();
}

/** The rows that have the values of `where`, in any order, with these columns or all. */
export async function listRows<
  Table extends keyof Schema,
  Column extends keyof Row<Table> & string = keyof Row<Table> & string,
>(
  { db }: Connected,
  table: Table,
  where: Partial<Row<Table>> = {},
  columns?: readonly Column[],
): Promise<Pick<Row<Table>, Column>[]> {
  const query = everyTable(db)
    .selectFrom(table as 'users')
    .where((eb) => eb.and(where));
  return (columns ? query.select(columns as never) : query.selectAll()).execute() as never;
}

/** The first row that has the values of `where`; throws when there is none. */
export async function getRow<Table extends keyof Schema>(
  database: Connected,
  table: Table,
  where: Partial<Row<Table>> = {},
): Promise<Row<Table>> {
  const [row] = await listRows(database, table, where);
  if (row === undefined) throw new Error(`${table} has no such row`);
  return row as Row<Table>;
}
