import { Pool, types as parsers } from 'pg';
import type { CustomTypesConfig, PoolConfig } from 'pg';

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

export interface PostgresPool {
  readonly pool: Pool;
  /**
   * Settings that a pooler between this process and PostgreSQL did not pass on. They apply only where they are set in
   * the transaction itself.
   */
  readonly missing: readonly Setting[];
}

interface Setting {
  readonly name: string;
  /** As in `pg_settings`: in the setting's own unit. */
  readonly value: string;
}

/**
 * The driver's own parsers, except that counts and times (int8) are parsed as numbers: all our values are safe
 * integers.
 */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === INT8_OID ? Number : parsers.getTypeParser(oid, format as 'text');
  },
} as CustomTypesConfig;

/**
 * Connects to `postgres://…`. A lost connection is replaced. A pooler such as pgbouncer refuses or ignores the settings
 * of a connection; what applies is read from the first one.
 */
export async function openPostgresPool(
  url: string,
  limits: PostgresLimits = SERVING_LIMITS,
): Promise<PostgresPool> {
  const settings = toSettings(limits);
  const options = settings.map(({ name, value }) => `-c ${name}=${value}`).join(' ');
  const pool = createPool(url, limits, { options });
  try {
    return { pool, missing: await findMissing(pool, settings) };
  } catch (error) {
    await pool.end();
    if (!isRefusedParameter(error)) throw error;
  }
  const bare = createPool(url, limits, {});
  try {
    return { pool: bare, missing: await findMissing(bare, settings) };
  } catch (error) {
    await bare.end();
    throw error;
  }
}

/** Connects on first use, with settings of the connection. */
function createPool(url: string, { patienceMs }: PostgresLimits, config: PoolConfig): Pool {
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

async function findMissing(pool: Pool, settings: readonly Setting[]): Promise<Setting[]> {
  const { rows } = await pool.query<{ name: string; setting: string }>(
    'select name, setting from pg_settings where name = any($1)',
    [settings.map(({ name }) => name)],
  );
  const actual = new Map(rows.map(({ name, setting }) => [name, setting]));
  return settings.filter(({ name, value }) => actual.get(name) !== value);
}

/** pgbouncer: `unsupported startup parameter: options`, or `…in options: …`. */
function isRefusedParameter(error: unknown): boolean {
  return error instanceof Error && error.message.startsWith('unsupported startup parameter');
}

/** The connections of the server lack settings: a pooler is in between, and the role has other ones. */
export class PoolerSettingsError extends Error {
  override readonly name = 'PoolerSettingsError';
}

/** Throws `PoolerSettingsError` if settings are missing: in every transaction they would cost two more round trips. */
export async function requireSettings({ pool, missing }: PostgresPool): Promise<void> {
  if (missing.length === 0) return;
  const { rows } = await pool.query<{ start: string }>(
    "select format('alter role %I in database %I set ', current_user, current_database()) as start",
  );
  const statements = missing.map(({ name, value }) => `${rows[0]?.start}${name} = '${value}';`);
  throw new PoolerSettingsError(
    'the connection pooler does not pass settings on to PostgreSQL. Run the following on PostgreSQL, let the pooler ' +
      `connect again (pgbouncer: RECONNECT), and start the server again:\n${statements.join('\n')}`,
  );
}
