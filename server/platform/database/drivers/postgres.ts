import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, PostgresDialect, PostgresDriver, sql } from 'kysely';
import type { AbortableOperationOptions, DatabaseConnection, Dialect, TransactionBuilder } from 'kysely';
import type { Pool } from 'pg';
import { LOCKS } from '../locks.ts';
import type { LockName } from '../locks.ts';
import { ConnectionShare } from './connection-share.ts';
import { classifyFailure } from './failure.ts';
import type { Handle } from '../handle.ts';

/** Attempts for a transaction that PostgreSQL aborted in favour of another one, and the first pause. */
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 20;

/** `share` admits the callers of the pool. */
export function createPostgresDialect(pool: Pool, share = new ConnectionShare()): Dialect {
  return new RetryingPostgresDialect(pool, share);
}

/**
 * Repeats a transaction from its beginning when PostgreSQL aborts it because of a deadlock or a serialisation failure.
 * Code in a transaction must therefore not change anything outside of it.
 */
export class RetryingKysely<Schema> extends Kysely<Schema> {
  override transaction(): TransactionBuilder<Schema> {
    return withRetries(super.transaction());
  }
}

function withRetries<Schema>(builder: TransactionBuilder<Schema>): TransactionBuilder<Schema> {
  const { execute, setAccessMode, setIsolationLevel } = builder;
  return Object.assign(builder, {
    setAccessMode: (...args: Parameters<typeof setAccessMode>) =>
      withRetries(setAccessMode.apply(builder, args)),
    setIsolationLevel: (...args: Parameters<typeof setIsolationLevel>) =>
      withRetries(setIsolationLevel.apply(builder, args)),
    execute: (work: Parameters<typeof execute>[0]) => retryOnConflict(() => execute.call(builder, work)),
  });
}

async function retryOnConflict<Result>(run: () => Promise<Result>): Promise<Result> {
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await run();
    } catch (error) {
      if (classifyFailure(error) !== 'conflict' || attempt === ATTEMPTS_MAX) throw error;
    }
    // Random, so that two conflicting transactions do not conflict again.
    await wait(PAUSE_MS * 2 ** (attempt - 1) * (0.5 + Math.random()));
  }
}

class RetryingPostgresDialect extends PostgresDialect {
  readonly #pool: Pool;
  readonly #share: ConnectionShare;

  constructor(pool: Pool, share: ConnectionShare) {
    super({ pool });
    this.#pool = pool;
    this.#share = share;
  }

  override createDriver(): PostgresDriver {
    return new RetryingPostgresDriver(this.#pool, this.#share);
  }
}

type Connection = Parameters<PostgresDriver['rollbackTransaction']>[0];

/**
 * Also repeats single statements, which are transactions of their own. Callers share the connections
 * (connection-share.ts).
 */
class RetryingPostgresDriver extends PostgresDriver {
  readonly #configured = new WeakSet<DatabaseConnection>();
  readonly #inTransaction = new WeakSet<DatabaseConnection>();
  readonly #share: ConnectionShare;
  /** What ends the use of a connection. */
  readonly #leaves = new WeakMap<DatabaseConnection, () => void>();

  constructor(pool: Pool, share: ConnectionShare) {
    super({ pool });
    this.#share = share;
  }

  override async acquireConnection(options?: AbortableOperationOptions): Promise<Connection> {
    const connection = await this.#acquireInTurn(options);
    this.#inTransaction.delete(connection);
    if (this.#configured.has(connection)) return connection;
    this.#configured.add(connection);
    const run = connection.executeQuery.bind(connection);
    connection.executeQuery = (query) =>
      this.#inTransaction.has(connection) ? run(query) : retryOnConflict(() => run(query));
    return connection;
  }

  async #acquireInTurn(options?: AbortableOperationOptions): Promise<Connection> {
    const leave = await this.#share.enter();
    try {
      const connection = (await super.acquireConnection(options)) as Connection;
      this.#leaves.set(connection, leave);
      return connection;
    } catch (error) {
      leave();
      throw error;
    }
  }

  override async releaseConnection(
    ...[connection, ...others]: Parameters<PostgresDriver['releaseConnection']>
  ): Promise<void> {
    try {
      await super.releaseConnection(connection, ...others);
    } finally {
      this.#leaves.get(connection)?.();
    }
  }

  override async beginTransaction(
    ...[connection, settings]: Parameters<PostgresDriver['beginTransaction']>
  ): Promise<void> {
    this.#inTransaction.add(connection);
    await super.beginTransaction(connection, settings);
  }

  /** Fails when the connection is lost; the connection is then dropped, and the caller gets the original error. */
  override async rollbackTransaction(
    ...[connection]: Parameters<PostgresDriver['rollbackTransaction']>
  ): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

/** Holds an advisory lock, for one key if given, until the transaction ends. */
export async function takeAdvisoryLock(transaction: Handle, lock: LockName, key?: string): Promise<void> {
  const what =
    key === undefined ? sql`${LOCKS[lock]}` : sql`cast(${LOCKS[lock]} as integer), hashtext(${key})`;
  await sql`select pg_advisory_xact_lock(${what})`.execute(transaction);
}
