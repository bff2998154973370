import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Work that remains after a change of a name or an address. */
export const profiles: Migration = {
  name: '0006-profiles',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `create table former_usernames (
    username_key text primary key,
    username_skeleton text not null,
    user_id text not null references users (id) on delete cascade,
    since bigint not null
  )`,
  `create index former_usernames_skeleton on former_usernames (username_skeleton)`,
  `create index former_usernames_user on former_usernames (user_id)`,
  `create table unindexed_renames (
    user_id text primary key references users (id) on delete cascade,
    rename_id text not null,
    after_seq integer not null
  )`,
  `create table email_changes (
    user_id text primary key references users (id) on delete cascade,
    token_hash text not null unique,
    email text not null,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  `create index email_changes_expiry on email_changes (expires_at)`,
];
