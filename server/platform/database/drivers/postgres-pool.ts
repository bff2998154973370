import type { CustomTypesConfig, Pool, PoolConfig } from 'pg';
import { OperatorError } from '../../operator-error.ts';

export const CONNECTIONS_MAX = 10;
/** How long a caller waits for a connection by default. */
export const CONNECT_TIMEOUT_MS = 5_000;
const INT8_OID = 20;

export interface PostgresLimits {
  /** 0: no limit. */
  readonly statementTimeoutMs: number;
  /** How long a statement waits for another transaction's lock; 0: no limit. */
  readonly lockTimeoutMs: number;
  readonly isReadOnly?: boolean;
  /** How long a caller waits for a connection, and for an answer. By default for 5 s, and without limit. */
  readonly patienceMs?: number;
}

/** A statement that takes longer is a mistake and must not hold a connection indefinitely. */
export const SERVING_LIMITS: PostgresLimits = { statementTimeoutMs: 30_000, lockTimeoutMs: 5_000 };
/** The duration of migrations and of the operator's counts depends on the amount of data. */
export const UNLIMITED: PostgresLimits = { statementTimeoutMs: 0, lockTimeoutMs: 0 };

interface Setting {
  readonly name: string;
  /** As in `pg_settings`: in the setting's own unit. */
  readonly value: string;
}

/** The settings of a connection did not reach PostgreSQL: a pooler is in between. */
export class PoolerSettingsError extends OperatorError {
  override readonly name = 'PoolerSettingsError';

  constructor(what: string) {
    super(
      `the connection pooler does not pass settings on to PostgreSQL (${what}): name PostgreSQL itself in DATABASE_URL, ` +
        'or see "PostgreSQL with a replica or a pooler" in docs/operating.md',
    );
  }
}

/**
 * Connects to `postgres://…`. A lost connection is replaced. Throws `PoolerSettingsError` if the first connection lacks
 * its settings: without them, time limits and plans of queries are wrong, and what should only read can write.
 */
export async function openPostgresPool(url: string, limits: PostgresLimits = SERVING_LIMITS): Promise<Pool> {
  const settings = toSettings(limits);
  const options = settings.map(({ name, value }) => `-c ${name}=${value}`).join(' ');
  const pool = await createPool(url, limits, { options });
  try {
    await requireSettings(pool, settings);
    return pool;
  } catch (error) {
    await pool.end();
    throw error;
  }
}

/** Connects on first use, with settings of the connection. A process with SQLite never loads the driver. */
async function createPool(url: string, { patienceMs }: PostgresLimits, config: PoolConfig): Promise<Pool> {
  const { Pool, types: parsers } = (await import('pg')).default;
  // The driver's own parsers, except that counts and times (int8) become numbers: all our values are safe integers.
  const types = {
    getTypeParser: (oid: number, format?: 'text' | 'binary') =>
      oid === INT8_OID ? Number : parsers.getTypeParser(oid, format as 'text'),
  } as CustomTypesConfig;
  const pool = new Pool({
    ...config,
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: patienceMs ?? CONNECT_TIMEOUT_MS,
    ...(patienceMs && { query_timeout: patienceMs }),
    types,
  });
  pool.on('error', () => undefined);
  // A connection that is lost between two queries of a transaction reports it only here; the next query fails.
  pool.on('connect', (client) => client.on('error', () => undefined));
  return pool;
}

function toSettings({ statementTimeoutMs, lockTimeoutMs, isReadOnly = false }: PostgresLimits): Setting[] {
  return [
    { name: 'statement_timeout', value: String(statementTimeoutMs) },
    { name: 'lock_timeout', value: String(lockTimeoutMs) },
    { name: 'default_transaction_read_only', value: isReadOnly ? 'on' : 'off' },
    // Queries here are short and frequent: JIT compilation costs more than it saves. Each has its index; a scan of the
    // search table, which the planner prefers for common words, decompresses all tokens.
    { name: 'jit', value: 'off' },
    { name: 'enable_seqscan', value: 'off' },
    { name: 'random_page_cost', value: '1.1' },
    { name: 'work_mem', value: String(32 * 1024) },
  ];
}

async function requireSettings(pool: Pool, settings: readonly Setting[]): Promise<void> {
  const { rows } = await pool
    .query<{ name: string; setting: string }>('select name, setting from pg_settings where name = any($1)', [
      settings.map(({ name }) => name),
    ])
    .catch((error: unknown) => {
      // pgbouncer: `unsupported startup parameter: options`, or `…in options: …`.
      const isRefused = error instanceof Error && error.message.startsWith('unsupported startup parameter');
      throw isRefused ? new PoolerSettingsError(error.message) : error;
    });
  const actual = new Map(rows.map(({ name, setting }) => [name, setting]));
  const missing = settings.filter(({ name, value }) => actual.get(name) !== value);
  if (missing.length === 0) return;
  throw new PoolerSettingsError(missing.map(({ name, value }) => `${name} = '${value}'`).join(', '));
}
