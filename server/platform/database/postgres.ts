import { setTimeout as wait } from 'node:timers/promises';
import { Kysely, PostgresDialect, PostgresDriver, sql } from 'kysely';
import type {
  AbortableOperationOptions,
  DatabaseConnection,
  Dialect,
  Transaction,
  TransactionBuilder,
} from 'kysely';
import { Pool, types as parsers } from 'pg';
import type { CustomTypesConfig } from 'pg';
import { classifyFailure } from './failure.ts';
import type { Schema } from './schema.ts';

const CONNECTIONS_MAX = 10;
const CONNECT_TIMEOUT_MS = 5_000;
const INT8_OID = 20;
/** Attempts for a transaction that PostgreSQL aborted in favour of another one, and the first pause. */
const ATTEMPTS_MAX = 5;
const PAUSE_MS = 20;

export interface PostgresLimits {
  /** 0: no limit. */
  readonly statementTimeoutMs: number;
  /** How long a statement waits for another transaction's lock; 0: no limit. */
  readonly lockTimeoutMs: number;
  readonly isReadOnly?: boolean;
}

/** A statement that takes longer is a mistake and must not hold a connection indefinitely. */
export const SERVING_LIMITS: PostgresLimits = { statementTimeoutMs: 30_000, lockTimeoutMs: 5_000 };
/** The duration of migrations and of the operator's counts depends on the amount of data. */
export const UNLIMITED: PostgresLimits = { statementTimeoutMs: 0, lockTimeoutMs: 0 };

/**
 * The driver's own parsers, except that counts and times (int8) are parsed as numbers: all our values are safe
 * integers.
 */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === INT8_OID ? Number : parsers.getTypeParser(oid, format as 'text');
  },
} as CustomTypesConfig;

/** Connects to `postgres://…` on first use. A lost connection is replaced. */
export function openPostgresPool(
  url: string,
  { statementTimeoutMs, lockTimeoutMs, isReadOnly = false }: PostgresLimits = SERVING_LIMITS,
): Pool {
  const settings = {
    statement_timeout: statementTimeoutMs,
    lock_timeout: lockTimeoutMs,
    default_transaction_read_only: isReadOnly ? 'on' : 'off',
    // Queries here are short and frequent: JIT compilation costs more than it saves. Each has its index; a scan of the
    // search table, which the planner prefers for common words, decompresses all tokens.
    jit: 'off',
    enable_seqscan: 'off',
    random_page_cost: 1.1,
    work_mem: '32MB',
  };
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    options: Object.entries(settings)
      .map(([name, value]) => `-c ${name}=${value}`)
      .join(' '),
    types,
  });
  pool.on('error', () => undefined);
  // A connection that is lost between two queries of a transaction reports it only here; the next query fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

export function createPostgresDialect(pool: Pool): Dialect {
  return new RetryingPostgresDialect({ pool });
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

  constructor({ pool }: { readonly pool: Pool }) {
    super({ pool });
    this.#pool = pool;
  }

  override createDriver(): PostgresDriver {
    return new RetryingPostgresDriver({ pool: this.#pool });
  }
}

/** Also repeats single statements, which are transactions of their own. */
class RetryingPostgresDriver extends PostgresDriver {
  readonly #known = new WeakSet<DatabaseConnection>();
  readonly #inTransaction = new WeakSet<DatabaseConnection>();

  override async acquireConnection(options?: AbortableOperationOptions): Promise<DatabaseConnection> {
    const connection = await super.acquireConnection(options);
    this.#inTransaction.delete(connection);
    if (this.#known.has(connection)) return connection;
    this.#known.add(connection);
    const run = connection.executeQuery.bind(connection);
    connection.executeQuery = (query) =>
      this.#inTransaction.has(connection) ? run(query) : retryOnConflict(() => run(query));
    return connection;
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
export async function takeAdvisoryLock(
  transaction: Transaction<Schema>,
  lock: number,
  key?: string,
): Promise<void> {
  const what = key === undefined ? sql`${lock}` : sql`cast(${lock} as integer), hashtext(${key})`;
  await sql`select pg_advisory_xact_lock(${what})`.execute(transaction);
}
