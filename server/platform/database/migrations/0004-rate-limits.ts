import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Counters shared by several processes; a single process counts in memory. The columns are those of
 * rate-limiter-flexible. The table is unlogged: counters are lost in a crash, and each count is cheap.
 */
export const rateLimits: Migration = {
  name: '0004-rate-limits',
  async up(db, dialect) {
    if (dialect !== 'postgres') return;
    await sql`create unlogged table rate_limits (
      key varchar(255) primary key,
      points integer not null default 0,
      expire bigint
    )`.execute(db);
    await sql`create index rate_limits_expiry on rate_limits (expire)`.execute(db);
  },
};
