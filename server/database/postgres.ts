import { PostgresDialect } from 'kysely';
import type { Dialect } from 'kysely';
import pg from 'pg';

const CONNECTIONS_MAX = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** A statement that takes longer than this is a mistake; it must not hold a connection for ever. */
const STATEMENT_TIMEOUT_MS = 30_000;
const INT8_OID = 20;

/** The driver's own parsers, but counts and times (int8) come as numbers: all of ours are safe integers. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === INT8_OID ? Number : pg.types.getTypeParser(oid, format as 'text');
  },
} as pg.CustomTypesConfig;

/** Connects to `postgres://…` when first used. A lost idle connection is replaced, not fatal. */
export function openPostgresPool(url: string): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // Queries here are short and many: compiling them costs more than it saves.
    options: '-c jit=off -c random_page_cost=1.1 -c work_mem=32MB',
    types,
  });
  pool.on('error', () => undefined);
  return pool;
}

export function createPostgresDialect(pool: pg.Pool): Dialect {
  return new PostgresDialect({ pool });
}
