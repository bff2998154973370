import { sql } from 'kysely';
import { MIGRATIONS } from '#server/schema/migrations.ts';
import type { Migration } from '#server/platform/database/migrations/migration.ts';

/** The migrations of a version after this one, which end with this step. */
export function toNextVersion(up: Migration['up']): readonly Migration[] {
  return [...MIGRATIONS, { name: '9999-next', up }];
}

export const NEXT_VERSION = toNextVersion(
  async (db) => void (await sql`create table next_version (id integer primary key)`.execute(db)),
);
