import { Kysely } from 'kysely';
import type { Transaction } from 'kysely';
import { MIGRATIONS, findPending, migrate, toOutdated } from './migrate.ts';
import type { DialectName, Migration } from './migration.ts';
import {
  RetryingKysely,
  SERVING_LIMITS,
  UNLIMITED,
  createPostgresDialect,
  openPostgresPool,
  takeAdvisoryLock,
} from './postgres.ts';
import type { PostgresLimits } from './postgres.ts';
import type { Schema } from './schema.ts';
import { createPostgresSearchIndex } from './search-index-postgres.ts';
import { sqliteSearchIndex } from './search-index-sqlite.ts';
import type { SearchIndex } from './search-index.ts';
import { createSqliteDialect, createSqliteDriver } from './sqlite-driver.ts';
import { openSqliteFile, openSqliteFileToRead } from './sqlite.ts';

export type DatabaseLocation =
  { readonly kind: 'sqlite'; readonly file: string } | { readonly kind: 'postgres'; readonly url: string };

/**
 * - `serve`: brings the tables up to date first.
 * - `write`, `read`: for a program beside the server. Throws `DatabaseVersionError` where the tables are of another
 *   version. `read` has no time limits and cannot change anything or hold the lock for writing.
 */
export type DatabaseAccess = 'serve' | 'write' | 'read';

export interface OpenOptions {
  readonly access?: DatabaseAccess;
  readonly migrations?: readonly Migration[];
  /** Of the server's statements in PostgreSQL. */
  readonly limits?: PostgresLimits;
  /** How long a write in SQLite waits for its turn. */
  readonly writeWaitMs?: number;
}

export interface Database {
  readonly db: Kysely<Schema>;
  readonly dialect: DialectName;
  readonly search: SearchIndex;
  /**
   * Lets one transaction at a time pass for a lock, or for each key of a lock, until it ends. `lock` names it among all
   * advisory locks of a PostgreSQL database. SQLite has one writer as it is.
   */
  takeTurn(transaction: Transaction<Schema>, lock: number, key?: string): Promise<void>;
  /**
   * Removes from SQLite's write-ahead log what was deleted or overwritten since; false: another process reads it,
   * or something is being written. Returns at once. PostgreSQL does this by itself, see docs.
   */
  dropOverwritten(): boolean;
  /** Waits for what is under way and lets go of files and connections. */
  close(): Promise<void>;
}

/** A migration may wait for that of another process that starts at the same time. */
const MIGRATION_WAIT_MS = 60_000;

/** Opens the database. Safe when several processes do so at once. */
export async function openDatabase(
  location: DatabaseLocation,
  { access = 'serve', migrations = MIGRATIONS, limits = SERVING_LIMITS, writeWaitMs }: OpenOptions = {},
): Promise<Database> {
  const database =
    location.kind === 'sqlite'
      ? connectSqlite(location.file, access, writeWaitMs)
      : connectPostgres(location.url, access === 'read' ? { ...UNLIMITED, isReadOnly: true } : limits);
  try {
    const pending = await findPending(toUntyped(database), database.dialect, migrations);
    if (pending.length > 0 && access !== 'serve') throw toOutdated(pending);
    if (pending.length > 0) await bringUpToDate(location, migrations);
    return database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** On connections of its own, without the limits of those that serve. */
async function bringUpToDate(location: DatabaseLocation, migrations: readonly Migration[]): Promise<void> {
  const database =
    location.kind === 'sqlite'
      ? connectSqlite(location.file, 'serve', MIGRATION_WAIT_MS)
      : connectPostgres(location.url, UNLIMITED);
  try {
    await migrate(toUntyped(database), database.dialect, migrations);
  } finally {
    await database.close();
  }
}

function connectSqlite(file: string, access: DatabaseAccess, waitMs: number | undefined): Database {
  const driver = createSqliteDriver(
    access === 'read' ? openSqliteFileToRead(file) : openSqliteFile(file),
    waitMs,
  );
  const db = new Kysely<Schema>({ dialect: createSqliteDialect(driver) });
  return {
    db,
    dialect: 'sqlite',
    search: sqliteSearchIndex,
    takeTurn: () => Promise.resolve(),
    dropOverwritten: () => driver.emptyLog(),
    close: () => db.destroy(),
  };
}

function connectPostgres(url: string, limits: PostgresLimits): Database {
  const db = new RetryingKysely<Schema>({ dialect: createPostgresDialect(openPostgresPool(url, limits)) });
  return {
    db,
    dialect: 'postgres',
    search: createPostgresSearchIndex(),
    takeTurn: takeAdvisoryLock,
    dropOverwritten: () => true,
    close: () => db.destroy(),
  };
}

function toUntyped({ db }: Database): Kysely<unknown> {
  return db as unknown as Kysely<unknown>;
}
