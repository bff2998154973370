import { Kysely } from 'kysely';
import { migrate } from './migrate.ts';
import type { DialectName } from './migration.ts';
import { createPostgresDialect, openPostgresPool } from './postgres.ts';
import type { Schema } from './schema.ts';
import { createPostgresSearchIndex } from './search-index-postgres.ts';
import { sqliteSearchIndex } from './search-index-sqlite.ts';
import type { SearchIndex } from './search-index.ts';
import { createSqliteDialect, createSqliteDriver } from './sqlite-driver.ts';
import { openSqliteFile } from './sqlite.ts';

export type DatabaseLocation =
  { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgres'; readonly url: string };

export interface Database {
  readonly db: Kysely<Schema>;
  readonly dialect: DialectName;
  readonly search: SearchIndex;
  /** Waits for what is under way and lets go of files and connections. */
  close(): Promise<void>;
}

/** Opens the database and brings its tables up to date; safe when several processes do so at once. */
export async function openDatabase(location: DatabaseLocation): Promise<Database> {
  const database = location.kind === 'sqlite' ? connectSqlite(location.file) : connectPostgres(location.url);
  try {
    await migrate(database.db as unknown as Kysely<unknown>, database.dialect);
  } catch (error) {
    await database.close();
    throw error;
  }
  return database;
}

function connectSqlite(file: string): Database {
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(createSqliteDriver(openSqliteFile(file))) });
  return { db, dialect: 'sqlite', search: sqliteSearchIndex, close: () => db.destroy() };
}

function connectPostgres(url: string): Database {
  const db = new Kysely<Schema>({ dialect: createPostgresDialect(openPostgresPool(url)) });
  return { db, dialect: 'postgres', search: createPostgresSearchIndex(), close: () => db.destroy() };
}
