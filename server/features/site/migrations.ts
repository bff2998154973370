import { sql } from 'kysely';
import type { FeatureMigrations, Migration } from '../../platform/database/migrations/migration.ts';
import { TEXT, flag } from '../../platform/database/tables/parts.ts';

const STATEMENTS = [
  `create table site_config (
    id integer primary key check (id = 1),
    navbar_logo text, navbar_sp_logo text, footer_logo text, footer_banner text,
    ${flag('maintenance_mode')},
    ${flag('allow_register', 1)}
  )`,
  `create table extra_pages (
    slug text primary key,
    title ${TEXT},
    position integer not null default 0,
    body ${TEXT},
    ${flag('is_listed', 1)},
    updated_at bigint not null
  )`,
];

/** What the operator's terms give for every sound. */
const licence: Migration = {
  name: '0010-licence',
  async up(db) {
    await sql`alter table extra_pages add column licence_line text`.execute(db);
    await sql`alter table extra_pages add column licence_uses ${sql.raw(TEXT)}`.execute(db);
    await sql`alter table extra_pages add column licence_version bigint`.execute(db);
  },
};

export const siteMigrations: FeatureMigrations = {
  baseline: () => STATEMENTS,
  later: [licence],
};
