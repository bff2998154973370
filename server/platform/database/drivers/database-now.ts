import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { DialectName } from '../migrations/migration.ts';

/**
 * The time by the clock of the database, in epoch ms, for what processes on several machines compare. Constant within a
 * statement.
 */
export function databaseNow({ dialect }: { readonly dialect: DialectName }): RawBuilder<number> {
  return dialect === 'postgres'
    ? sql<number>`cast(extract(epoch from statement_timestamp()) * 1000 as bigint)`
    : sql<number>`cast(unixepoch('subsec') * 1000 as integer)`;
}
