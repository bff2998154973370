import { setTimeout as wait } from 'node:timers/promises';
import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { readVersion } from '../../version.ts';
import { LOCKS } from '../locks.ts';
import type { DialectName, Migration } from './migration.ts';
import { isMarked } from '../snapshots/restore-mark.ts';
import { OperatorError } from '../../operator-error.ts';

/**
 * How long a migration waits for the lock of a table: requests that use the table wait behind it. Less than their own
 * `lock_timeout`, so that they are only delayed.
 */
const TABLE_LOCK_WAIT_MS = 1_000;
/** They run between two attempts. */
const ATTEMPT_PAUSE_MS = 1_000;
const ATTEMPTS_WAIT_MS = 60_000;
/** PostgreSQL's lock_not_available. */
const LOCK_TIMEOUT = '55P03';

/** The versions of database and program differ; the message says what to do. */
export class DatabaseVersionError extends OperatorError {
  override readonly name = 'DatabaseVersionError';
}

/** The database has no tables yet. */
export class EmptyDatabaseError extends OperatorError {
  override readonly name = 'EmptyDatabaseError';
}

/** For a program that does not migrate: what the database lacks. */
export function toOutdated({ isEmpty, pending }: VersionDifference): OperatorError {
  if (isEmpty)
    return new EmptyDatabaseError('no server has started with this database yet; npm start makes its tables');
  return new DatabaseVersionError(
    `the database is older than this program: it lacks ${pending.map(({ name }) => name).join(', ')}; ` +
      'run "npm run operator -- upgrade", or start the server of this version once (npm start), which migrates it',
  );
}

/** How a database differs from a program. */
export interface VersionDifference {
  /** Whether no migration has made tables yet. */
  readonly isEmpty: boolean;
  /** The migrations that the database lacks. */
  readonly pending: readonly Migration[];
  /** The names of those that the program lacks, and does not need. */
  readonly newer: readonly string[];
}

/** Throws `DatabaseVersionError` for a database that is half restored, or newer than this program can use. Reads only. */
export async function compareVersions(
  db: Kysely<unknown>,
  dialect: DialectName,
  migrations: readonly Migration[],
  version?: string,
): Promise<VersionDifference> {
  if (dialect === 'postgres' && (await isMarked(db))) {
    throw new DatabaseVersionError(
      'the database is half restored; run "npm run operator -- backup restore" with the same backup again',
    );
  }
  const { rows } =
    dialect === 'postgres'
      ? await sql`select 1 as hit where to_regclass('migrations') is not null`.execute(db)
      : await sql`select 1 as hit from sqlite_schema where type = 'table' and name = 'migrations'`.execute(
          db,
        );
  return rows.length === 0
    ? { isEmpty: true, pending: migrations, newer: [] }
    : compareWithApplied(db, migrations, version);
}

/**
 * A migration that this program does not know only adds to the tables, unless its name says since which version
 * programs can do without what it removes: `0040-drop-legacy@1.5.0`. See decision 106.
 */
async function compareWithApplied(
  db: Kysely<unknown>,
  migrations: readonly Migration[],
  version = readVersion(),
): Promise<VersionDifference> {
  const { rows } = await sql<{ name: string }>`select name from migrations order by name`.execute(db);
  const applied = new Set(rows.map((row) => row.name));
  const [first] = migrations;
  if (first !== undefined && applied.size > 0 && !applied.has(first.name)) {
    const replacement = first.toReplacement?.(applied);
    if (replacement === undefined)
      throw new DatabaseVersionError(
        `the database is not one of this program: its last migration is ${rows.at(-1)?.name}, and ${first.name} is ` +
          'missing; check that DATA_DIR or DATABASE_URL is that of the site',
      );
    return { isEmpty: false, pending: [replacement, ...migrations.slice(1)], newer: [] };
  }
  const newer = [...applied].filter((name) => !migrations.some((migration) => migration.name === name));
  const pending = migrations.filter((migration) => !applied.has(migration.name));
  const isUsable = newer.every((name) => isOlderOrEqual(toRequiredVersion(name) ?? version, version));
  // A database that also lacks migrations does not come from a later version of this program.
  if (!isUsable || (newer.length > 0 && pending.length > 0)) {
    throw new DatabaseVersionError(
      `the database is newer than this program: it has ${newer.join(', ')}; use the program of that version`,
    );
  }
  return { isEmpty: applied.size === 0, pending, newer };
}

/** Since which version a program can use a database with this migration; undefined if every version can. */
export function toRequiredVersion(name: string): string | undefined {
  return /@(\d+\.\d+\.\d+)$/.exec(name)?.[1];
}

/** Whether a version such as `1.10.0` is another one, or comes before it. */
export function isOlderOrEqual(version: string, other: string): boolean {
  return version.localeCompare(other, 'en', { numeric: true }) <= 0;
}

/**
 * Applies all missing migrations in one transaction: after an interruption the database is unchanged, and the next
 * start repeats them. So it is if `verify`, which sees the migrated tables, rejects. Processes that start at the same
 * time wait for each other, and the later ones find nothing to do. While other transactions hold locks that a migration
 * needs, it is attempted again for a minute.
 */
export async function migrate(
  db: Kysely<unknown>,
  dialect: DialectName,
  migrations: readonly Migration[],
  verify?: (transaction: Kysely<unknown>) => Promise<void>,
): Promise<string[]> {
  const deadlineMs = performance.now() + ATTEMPTS_WAIT_MS;
  for (;;) {
    try {
      return await db.transaction().execute(async (transaction) => {
        const applied = await applyMigrations(transaction, dialect, migrations);
        if (applied.length > 0) await verify?.(transaction);
        return applied;
      });
    } catch (error) {
      const isBlocked = error instanceof Error && 'code' in error && error.code === LOCK_TIMEOUT;
      if (!isBlocked || performance.now() > deadlineMs) throw error;
    }
    await wait(ATTEMPT_PAUSE_MS);
  }
}

/** The same in a transaction of the caller. */
export async function applyMigrations(
  transaction: Transaction<unknown>,
  dialect: DialectName,
  migrations: readonly Migration[],
): Promise<string[]> {
  if (dialect === 'postgres') {
    await sql`select pg_advisory_xact_lock(${LOCKS.migrations})`.execute(transaction);
    await sql`select set_config('lock_timeout', ${String(TABLE_LOCK_WAIT_MS)}, true)`.execute(transaction);
  }
  await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(
    transaction,
  );
  const { pending } = await compareWithApplied(transaction, migrations);
  for (const migration of pending) {
    await migration.up(transaction, dialect);
    await sql`insert into migrations (name, applied_at) values (${migration.name}, ${Date.now()})`.execute(
      transaction,
    );
  }
  return pending.map((migration) => migration.name);
}
