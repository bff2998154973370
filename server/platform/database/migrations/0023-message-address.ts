import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** How long existing addresses wait for confirmation by their owners. */
const EXISTING_WAIT_MS = 180 * 86_400_000;

/**
 * An address for messages must be confirmed like that of the account. Existing addresses that differ from the account's
 * address become unconfirmed, and messages go to the account's address in the meantime: no message is lost or sent to a
 * person who has not agreed.
 */
export const messageAddress: Migration = {
  name: '0023-message-address',
  async up(db) {
    const now = Date.now();
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
    // No link has this hash, so only a link that is sent from now on confirms the address.
    await sql`
      insert into address_changes (user_id, kind, token_hash, email, created_at, expires_at)
        select id, 'message', 'none-' || id, message_email, ${sql.lit(now)}, ${sql.lit(now + EXISTING_WAIT_MS)} from users
        where ${UNCONFIRMED}`.execute(db);
    await sql`update users set message_email = email where ${UNCONFIRMED}`.execute(db);
  },
};

const UNCONFIRMED = sql`message_email <> '' and lower(message_email) not in (email_key, lower(email))`;

const STATEMENTS = [
  `create table address_changes (
    user_id text not null references users (id) on delete cascade,
    kind text not null check (kind in ('account', 'message')),
    token_hash text not null unique,
    email text not null,
    created_at bigint not null,
    expires_at bigint not null,
    primary key (user_id, kind)
  )`,
  `insert into address_changes (user_id, kind, token_hash, email, created_at, expires_at)
    select user_id, 'account', token_hash, email, created_at, expires_at from email_changes`,
  `drop table email_changes`,
  `create index address_changes_expiry on address_changes (expires_at)`,
];
