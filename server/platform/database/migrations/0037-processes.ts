import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** What processes on one database tell each other: changes of what pages show, and who does work that runs once. */
export const processes: Migration = {
  name: '0037-processes',
  async up(db) {
    await sql`create table page_changes (
      id text primary key,
      at bigint not null,
      process text not null,
      tags text
    )`.execute(db);
    await sql`create index page_changes_at on page_changes (at)`.execute(db);
    await sql`create table leases (
      name text primary key,
      holder text not null,
      expires_at bigint not null
    )`.execute(db);
    await sql`create index leases_expires_at on leases (expires_at)`.execute(db);
  },
};
