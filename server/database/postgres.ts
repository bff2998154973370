import { PostgresDialect } from 'kysely';
import type { Dialect } from 'kysely';
import { Pool, types as parsers } from 'pg';
import type { CustomTypesConfig } from 'pg';

const CONNECTIONS_MAX = 10;
const CONNECT_TIMEOUT_MS = 5_000;
/** A statement that takes longer than this is a mistake; it must not hold a connection for ever. */
const STATEMENT_TIMEOUT_MS = 30_000;
const INT8_OID = 20;

/** The driver's own parsers, but counts and times (int8) come as numbers: all of ours are safe integers. */
const types = {
  getTypeParser(oid: number, format?: 'text' | 'binary') {
    return oid === INT8_OID ? Number : parsers.getTypeParser(oid, format as 'text');
  },
} as CustomTypesConfig;

/** Connects to `postgres://…` when first used. A lost idle connection is replaced, not fatal. */
export function openPostgresPool(url: string): Pool {
  const pool = new Pool({
    connectionString: url,
    max: CONNECTIONS_MAX,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    statement_timeout: STATEMENT_TIMEOUT_MS,
    // Queries here are short and many: compiling them costs more than it saves. Every one of them has
    // its index; a scan of the search table, which the planner likes for common words, unpacks all tokens.
    options: '-c jit=off -c enable_seqscan=off -c random_page_cost=1.1 -c work_mem=32MB',
    types,
  });
  pool.on('error', () => undefined);
  return pool;
}

export function createPostgresDialect(pool: Pool): Dialect {
  return new PostgresDialect({ pool });
}
