import { Kysely } from 'kysely';
import { ConnectionShare } from './drivers/connection-share.ts';
import { compareVersions, migrate, toOutdated } from './migrations/migrate.ts';
import type { LockName } from './locks.ts';
import type { DialectName, Migration } from './migrations/migration.ts';
import { RetryingKysely, createPostgresDialect, takeAdvisoryLock } from './drivers/postgres.ts';
import { CONNECTIONS_MAX, SERVING_LIMITS, UNLIMITED, openPostgresPool } from './drivers/postgres-pool.ts';
import type { PostgresLimits } from './drivers/postgres-pool.ts';
import { createReplica } from './replica.ts';
import type { Replica } from './replica.ts';
import type { Handle, NoTables } from './handle.ts';
import { createPostgresSearchIndex } from './search-index/postgres.ts';
import { sqliteSearchIndex } from './search-index/sqlite.ts';
import type { SearchIndex } from './search-index/search-index.ts';
import { createSqliteDialect, createSqliteDriver } from './drivers/sqlite-driver.ts';
import { openSqliteFile, openSqliteFileToRead } from './drivers/sqlite.ts';

export type DatabaseLocation =
  | { readonly kind: 'sqlite'; readonly file: string }
  | {
      readonly kind: 'postgres';
      readonly url: string;
      /** A streaming replica, which a server reads; null or undefined: none. */
      readonly replicaUrl?: string | null;
    };

/**
 * - `serve`: applies missing migrations first.
 * - `write`, `read`: for a program that runs beside the server. Throws `DatabaseVersionError` if the tables are of
 *   another version, `EmptyDatabaseError` if there are none. `read` has no time limits, and can neither change anything nor hold the write lock.
 */
export type DatabaseAccess = 'serve' | 'write' | 'read';

export interface OpenOptions {
  readonly access?: DatabaseAccess;
  /** Those of this program, in their order. */
  readonly migrations: readonly Migration[];
  /** Runs in the transaction of the migrations and undoes them by rejecting. */
  readonly verify?: (transaction: Handle) => Promise<void>;
  /** Time limit of the server's statements in PostgreSQL. */
  readonly limits?: PostgresLimits;
  /** How long a write in SQLite waits for the write lock. */
  readonly writeWaitMs?: number;
  /** Called with what an operator should know while the server runs. */
  readonly warn?: (message: string) => void;
}

export interface Database {
  readonly db: Handle;
  readonly dialect: DialectName;
  readonly search: SearchIndex;
  readonly replica?: Replica<Database> | undefined;
  /** Connections of this process to PostgreSQL: in use, idle, calls that wait for one, and the most there can be. */
  readonly connections?: () => Connections;
  /** Serialises transactions by a lock, or by each key of it, until they end. SQLite has a single writer anyway. */
  takeLock(transaction: Handle, lock: LockName, key?: string): Promise<void>;
  /**
   * Removes deleted or overwritten data from SQLite's write-ahead log. Returns false when another process is reading it
   * or a write is in progress. Does not wait. PostgreSQL does this itself, see decision 043.
   */
  truncateLog(): boolean;
  /** Waits for pending work and closes files and connections. */
  close(): Promise<void>;
}

export interface Connections {
  readonly used: number;
  readonly idle: number;
  readonly waiting: number;
  readonly max: number;
}

/** A migration may wait for that of another process that starts at the same time. */
const MIGRATION_WAIT_MS = 60_000;
const READING_LIMITS: PostgresLimits = { ...UNLIMITED, isReadOnly: true };
/** A read that takes longer is made on the primary. */
const REPLICA_LIMITS: PostgresLimits = { ...SERVING_LIMITS, patienceMs: 2_500 };

/** Opens a database, and applies missing migrations. Several processes may do so at the same time. */
export async function openMigrated(
  location: DatabaseLocation,
  {
    access = 'serve',
    migrations,
    limits = SERVING_LIMITS,
    writeWaitMs,
    verify,
    warn = () => undefined,
  }: OpenOptions,
): Promise<Database> {
  const database =
    location.kind === 'sqlite'
      ? connectSqlite(location.file, access, writeWaitMs)
      : await connectPostgres(location.url, access === 'read' ? READING_LIMITS : limits);
  try {
    const difference = await compareVersions(toUntyped(database), database.dialect, migrations);
    const { pending, newer } = difference;
    if (pending.length > 0 && access !== 'serve') throw toOutdated(difference);
    if (pending.length > 0) await migrateExclusively(location, migrations, verify);
    if (newer.length > 0) warn(`the database is newer than this program: it has ${newer.join(', ')}`);
    return access === 'serve' ? withReplica(database, location, warn) : database;
  } catch (error) {
    await database.close();
    throw error;
  }
}

/** The names of the migrations that an existing database lacks. Throws `DatabaseVersionError` if none lead to this program. */
export async function listPending(
  location: DatabaseLocation,
  migrations: readonly Migration[],
): Promise<{ readonly isEmpty: boolean; readonly names: readonly string[] }> {
  const database =
    location.kind === 'sqlite'
      ? connectSqlite(location.file, 'read', undefined)
      : await connectPostgres(location.url, READING_LIMITS);
  try {
    const { isEmpty, pending } = await compareVersions(toUntyped(database), database.dialect, migrations);
    return { isEmpty, names: pending.map(({ name }) => name) };
  } finally {
    await database.close();
  }
}

/** Uses its own connections, without the limits of those that serve. */
async function migrateExclusively(
  location: DatabaseLocation,
  migrations: readonly Migration[],
  verify: OpenOptions['verify'],
): Promise<void> {
  const database =
    location.kind === 'sqlite'
      ? connectSqlite(location.file, 'serve', MIGRATION_WAIT_MS)
      : await connectPostgres(location.url, UNLIMITED);
  try {
    await migrate(
      toUntyped(database),
      database.dialect,
      migrations,
      verify && ((transaction) => verify(transaction as unknown as Handle)),
    );
  } finally {
    await database.close();
  }
}

function connectSqlite(file: string, access: DatabaseAccess, waitMs: number | undefined): Database {
  const driver = createSqliteDriver(
    access === 'read' ? openSqliteFileToRead(file) : openSqliteFile(file),
    waitMs,
  );
  const db = new Kysely<NoTables>({ dialect: createSqliteDialect(driver) });
  return {
    db,
    dialect: 'sqlite',
    search: sqliteSearchIndex,
    takeLock: () => Promise.resolve(),
    truncateLog: () => driver.truncateLog(),
    close: () => db.destroy(),
  };
}

async function connectPostgres(url: string, limits: PostgresLimits): Promise<Database> {
  const pool = await openPostgresPool(url, limits);
  const share = new ConnectionShare();
  const db = new RetryingKysely<NoTables>({ dialect: createPostgresDialect(pool, share) });
  return {
    db,
    connections: () => ({
      used: pool.totalCount - pool.idleCount,
      idle: pool.idleCount,
      waiting: share.waitingCount + pool.waitingCount,
      max: CONNECTIONS_MAX,
    }),
    dialect: 'postgres',
    search: createPostgresSearchIndex(),
    takeLock: takeAdvisoryLock,
    truncateLog: () => true,
    close: () => db.destroy(),
  };
}

/** Connects to a streaming replica, for short reads. Does not compare versions: it has those of its primary. */
export function openReplica(url: string): Promise<Database> {
  return connectPostgres(url, REPLICA_LIMITS);
}

function withReplica(
  database: Database,
  location: DatabaseLocation,
  report: (message: string) => void,
): Database {
  const { replicaUrl } = location as { readonly replicaUrl?: string | null };
  if (!replicaUrl) return database;
  const replica = createReplica(database.db, { open: () => openReplica(replicaUrl), report });
  return {
    ...database,
    replica,
    async close() {
      await replica.close();
      await database.close();
    },
  };
}

function toUntyped({ db }: Database): Kysely<unknown> {
  return db as unknown as Kysely<unknown>;
}
