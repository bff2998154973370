import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Protects an account whose session was stolen: when a session last gave the password, links that undo a change, and
 * until when payouts are held after a change of the payee.
 */
export const accountSafety: Migration = {
  name: '0022-account-safety',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `alter table sessions add column authenticated_at bigint not null default 0`,
  `update sessions set authenticated_at = created_at`,
  `alter table users add column payout_held_until bigint not null default 0`,
  `create table undo_links (
    token_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    before text not null,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  `create index undo_links_user on undo_links (user_id, created_at)`,
  `create index undo_links_expiry on undo_links (expires_at)`,
];
