import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** A second factor for staff: one secret per account, its recovery codes, and when a session gave a code. */
export const secondFactor: Migration = {
  name: '0033-second-factor',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table second_factors (
    user_id text primary key references users (id) on delete cascade,
    secret text not null,
    last_step bigint not null,
    created_at bigint not null,
    confirmed_at bigint
  )`,
  `create table recovery_codes (
    user_id text not null references second_factors (user_id) on delete cascade,
    code_hash text not null,
    primary key (user_id, code_hash)
  )`,
  `alter table sessions add column second_factor_at bigint not null default 0`,
];
