import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * What several processes count together; one alone counts in its memory. The columns are those of
 * rate-limiter-flexible. Not logged: after a crash counting begins anew, and each count costs little.
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
