import { setTimeout as wait } from 'node:timers/promises';
import { CompiledQuery, Kysely, PostgresDialect, PostgresDriver, sql } from 'kysely';
import type {
  AbortableOperationOptions,
  DatabaseConnection,
  Dialect,
  QueryResult,
  Transaction,
  TransactionBuilder,
} from 'kysely';
import { ConnectionShare } from './connection-share.ts';
import { classifyFailure } from './failure.ts';
import { CONNECTIONS_MAX, CONNECT_TIMEOUT_MS } from './postgres-pool.ts';
import type { PostgresPool } from './postgres-pool.ts';
import type { Schema } from './schema.ts';

/** Attempts for a transaction that PostgreSQL aborted in favour of another one, and the first pause. */
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 20;

export function createPostgresDialect(connected: PostgresPool): Dialect {
  return new RetryingPostgresDialect(connected);
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
  readonly #connected: PostgresPool;

  constructor(connected: PostgresPool) {
    super({ pool: connected.pool });
    this.#connected = connected;
  }

  override createDriver(): PostgresDriver {
    return new RetryingPostgresDriver(this.#connected);
  }
}

type Connection = Parameters<PostgresDriver['rollbackTransaction']>[0];

/**
 * Also repeats single statements, which are transactions of their own. Sets what the connections lack in each
 * transaction: a pooler gives the next one to another connection. Callers share the connections (connection-share.ts).
 */
class RetryingPostgresDriver extends PostgresDriver {
  readonly #known = new WeakSet<DatabaseConnection>();
  readonly #inTransaction = new WeakSet<DatabaseConnection>();
  readonly #missing: PostgresPool['missing'];
  readonly #share = new ConnectionShare(CONNECTIONS_MAX, CONNECT_TIMEOUT_MS);
  /** What ends the use of a connection. */
  readonly #leaves = new WeakMap<DatabaseConnection, () => void>();

  constructor({ pool, missing }: PostgresPool) {
    super({ pool });
    this.#missing = missing;
  }

  override async acquireConnection(options?: AbortableOperationOptions): Promise<Connection> {
    const connection = await this.#acquireInTurn(options);
    this.#inTransaction.delete(connection);
    if (this.#known.has(connection)) return connection;
    this.#known.add(connection);
    const run = connection.executeQuery.bind(connection);
    const runAlone: typeof run = (query) =>
      this.#missing.length === 0 ? run(query) : this.#runWithSettings(connection, () => run(query));
    connection.executeQuery = (query) =>
      this.#inTransaction.has(connection) ? run(query) : retryOnConflict(() => runAlone(query));
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
    if (this.#missing.length > 0) await connection.executeQuery(toLocalSettings(this.#missing));
  }

  async #runWithSettings<Row>(
    connection: Connection,
    run: () => Promise<QueryResult<Row>>,
  ): Promise<QueryResult<Row>> {
    await this.beginTransaction(connection, {});
    try {
      const result = await run();
      await this.commitTransaction(connection);
      return result;
    } catch (error) {
      await this.rollbackTransaction(connection);
      throw error;
    } finally {
      this.#inTransaction.delete(connection);
    }
  }

  /** Fails when the connection is lost; the connection is then dropped, and the caller gets the original error. */
  override async rollbackTransaction(
    ...[connection]: Parameters<PostgresDriver['rollbackTransaction']>
  ): Promise<void> {
    await super.rollbackTransaction(connection).catch(() => undefined);
  }
}

/** Holds an advisory lock, for one key if given, until the transaction ends. */
export async function takeAdvisoryLock(
  transaction: Transaction<Schema>,
  lock: number,
  key?: string,
): Promise<void> {
  const what = key === undefined ? sql`${lock}` : sql`cast(${lock} as integer), hashtext(${key})`;
  await sql`select pg_advisory_xact_lock(${what})`.execute(transaction);
}

/** Sets them until the transaction ends. */
function toLocalSettings(settings: PostgresPool['missing']): CompiledQuery {
  const calls = settings.map(({ name }, index) => {
    // The default is read when a transaction begins.
    const current = name === 'default_transaction_read_only' ? 'transaction_read_only' : name;
    return `set_config('${current}', $${index + 1}, true)`;
  });
  return CompiledQuery.raw(
    `select ${calls.join(', ')}`,
    settings.map(({ value }) => value),
  );
}
