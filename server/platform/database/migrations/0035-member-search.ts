import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * The staff finds members by the beginning of a username or e-mail address, and by their full name. SQLite's indexes of
 * unique columns are ordered by code points already; those of PostgreSQL follow the language of the database.
 */
export const memberSearch: Migration = {
  name: '0035-member-search',
  async up(db, dialect) {
    await sql`create index users_name on users (name)`.execute(db);
    if (dialect === 'sqlite') return;
    await sql`create index users_username_prefix on users (username_key collate "C")`.execute(db);
    await sql`create index users_email_prefix on users (email_key collate "C")`.execute(db);
  },
};
