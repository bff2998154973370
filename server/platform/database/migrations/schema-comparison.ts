import { DatabaseSync } from 'node:sqlite';
import { Kysely, sql } from 'kysely';
import type { Transaction } from 'kysely';
import { compareVersions } from './migrate.ts';
import type { DialectName, Migration } from './migration.ts';
import type { Database, DatabaseLocation } from '../open.ts';
import { createPostgresDialect } from '../drivers/postgres.ts';
import { openPostgresPool } from '../drivers/postgres-pool.ts';
import { randomId } from '../statements/random-id.ts';
import { readShape } from './schema-shape.ts';
import type { SchemaShape } from './schema-shape.ts';
import { createSqliteDialect, createSqliteDriver } from '../drivers/sqlite-driver.ts';

export interface SchemaDifference {
  /** `unexpected`: what may refuse or change rows, on a table of this program. */
  readonly kind: 'missing' | 'changed' | 'unexpected';
  /** Such as `index sounds_newest on sounds`. */
  readonly part: string;
  /** As it should be; as it is, if it is unexpected. */
  readonly definition: string;
}

/** What can refuse or change rows. */
const RULE = /^(?:trigger|constraint|rule) /;
const UNIQUE_INDEX = /^create unique index /i;
/** `column users.bio`, `index users_name on users`. */
const OWNER = /^column ([^.]+)\.| on (\S+)$/;

/**
 * How the schema of a database differs from the one that these migrations make of an empty database of its kind. None for a
 * database with migrations that this program does not know: what it expects is not what they have made.
 */
export async function compareSchema(
  { db, dialect }: Pick<Database, 'db' | 'dialect'>,
  location: DatabaseLocation,
  migrations: readonly Migration[],
): Promise<readonly SchemaDifference[]> {
  const untyped = db as unknown as Kysely<unknown>;
  const { newer } = await compareVersions(untyped, dialect, migrations);
  if (newer.length > 0) return [];
  const expected = await recallExpected(untyped, location, migrations);
  return [...compareShapes(expected, await readShape(untyped, dialect))];
}

/** Neither parts of a missing table are reported, nor that a table has changed because a column is missing. */
function* compareShapes(expected: SchemaShape, actual: SchemaShape): Generator<SchemaDifference> {
  const lacksColumn = (table: string) =>
    actual.has(table) &&
    [...expected.keys()].some(
      (part) => part.startsWith('column ') && findTable(part) === table && !actual.has(part),
    );
  for (const [part, definition] of expected) {
    const found = actual.get(part);
    if (found === definition) continue;
    const table = findTable(part);
    const isExplained = table === undefined ? lacksColumn(part) : !actual.has(table);
    if (!isExplained) yield { kind: found === undefined ? 'missing' : 'changed', part, definition };
  }
  for (const [part, definition] of actual) {
    const table = findTable(part);
    if (expected.has(part) || table === undefined || !expected.has(table)) continue;
    if (RULE.test(part) || UNIQUE_INDEX.test(definition)) yield { kind: 'unexpected', part, definition };
  }
}

/** The part that another one belongs to; undefined for a table or function. */
function findTable(part: string): string | undefined {
  const [, ofColumn, table = ofColumn] = OWNER.exec(part) ?? [];
  return table && `table ${table}`;
}

async function expectOfSqlite(migrations: readonly Migration[]): Promise<SchemaShape> {
  const memory = new DatabaseSync(':memory:');
  try {
    const file = { writer: memory, reader: memory, openReader: () => memory };
    const db = new Kysely<unknown>({ dialect: createSqliteDialect(createSqliteDriver(file)) });
    return await db.transaction().execute((transaction) => makeShape(transaction, 'sqlite', migrations));
  } finally {
    memory.close();
  }
}

/** What this process has made, with which version of which database, and up to which migration. */
let recalled: { readonly version: string; readonly shape: SchemaShape } | undefined;

/** Made once: it depends on nothing in the site. */
async function recallExpected(
  db: Kysely<unknown>,
  location: DatabaseLocation,
  migrations: readonly Migration[],
): Promise<SchemaShape> {
  const asked = location.kind === 'sqlite' ? sql`sqlite_version()` : sql`version()`;
  const { rows } = await sql<{ version: string }>`select ${asked} as version`.execute(db);
  const version = `${location.kind} ${rows[0]?.version} ${migrations.at(-1)?.name}`;
  if (recalled?.version === version) return recalled.shape;
  const shape = await (location.kind === 'sqlite'
    ? expectOfSqlite(migrations)
    : expectOfPostgres(location.url, migrations));
  recalled = { version, shape };
  return shape;
}

/**
 * PostgreSQL itself makes the tables, in a schema of their own, in a transaction that is always rolled back: nothing is
 * left of it, and it takes no lock that others wait for. No other schema is in the search path, so that a migration
 * cannot reach the site's tables.
 */
async function expectOfPostgres(url: string, migrations: readonly Migration[]): Promise<SchemaShape> {
  const db = new Kysely<unknown>({ dialect: createPostgresDialect(await openPostgresPool(url)) });
  const transaction = await db.startTransaction().execute();
  try {
    const schema = sql.id(`expected_${randomId().toLowerCase()}`);
    await sql`create schema ${schema}`.execute(transaction);
    await sql`set local search_path to ${schema}`.execute(transaction);
    return await makeShape(transaction, 'postgres', migrations);
  } finally {
    await transaction.rollback().execute();
    await db.destroy();
  }
}

async function makeShape(
  transaction: Transaction<unknown>,
  dialect: DialectName,
  migrations: readonly Migration[],
): Promise<SchemaShape> {
  for (const { up } of migrations) await up(transaction, dialect);
  return readShape(transaction, dialect);
}
