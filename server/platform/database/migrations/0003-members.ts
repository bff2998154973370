import { sql } from 'kysely';
import type { Transaction } from 'kysely';
import { toUsernameSkeleton } from '../../../../contract/usernames.ts';
import type { Migration } from '../migration.ts';

/** Tables for registrations, sessions, mails and favourites. */
export const members: Migration = {
  name: '0003-members',
  async up(db) {
    await sql`alter table users add column username_skeleton text`.execute(db);
    await fillSkeletons(db);
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

/** Of names that already look alike, later ones are made distinct by appending their id. */
async function fillSkeletons(db: Transaction<unknown>): Promise<void> {
  const { rows } = await sql<{
    id: string;
    username: string;
  }>`select id, username from users order by created_at, id`.execute(db);
  const taken = new Set<string>();
  for (const { id, username } of rows) {
    const plain = toUsernameSkeleton(username);
    const skeleton = taken.has(plain) ? `${plain}#${id}` : plain;
    taken.add(skeleton);
    await sql`update users set username_skeleton = ${skeleton} where id = ${id}`.execute(db);
  }
}

const STATEMENTS = [
  `create unique index users_skeleton on users (username_skeleton)`,
  `create table registrations (
    id text primary key,
    username text not null,
    username_key text not null,
    username_skeleton text not null,
    email text not null,
    email_key text not null,
    password_hash text not null,
    token_hash text not null unique,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  `create index registrations_email on registrations (email_key, created_at)`,
  `create index registrations_skeleton on registrations (username_skeleton)`,
  `create index registrations_expiry on registrations (expires_at)`,
  `create table sessions (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    token_hash text not null,
    previous_hash text,
    rotated_at bigint,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  `create index sessions_user on sessions (user_id)`,
  `create index sessions_expiry on sessions (expires_at)`,
  `create table password_resets (
    token_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    expires_at bigint not null,
    used_at bigint,
    created_at bigint not null
  )`,
  `create index password_resets_user on password_resets (user_id)`,
  `create index password_resets_expiry on password_resets (expires_at)`,
  `create table mail_outbox (
    id text primary key,
    to_address text not null,
    reply_to text,
    subject text not null,
    text text not null,
    html text not null,
    state text not null check (state in ('waiting', 'sent', 'given-up')),
    attempts integer not null default 0 check (attempts >= 0),
    created_at bigint not null,
    next_attempt_at bigint not null,
    finished_at bigint,
    last_error text not null default ''
  )`,
  `create index mail_outbox_due on mail_outbox (state, next_attempt_at)`,
  `create index mail_outbox_finished on mail_outbox (finished_at)`,
  `create table contact_messages (
    id text primary key,
    name text not null,
    email text not null,
    message text not null,
    user_id text references users (id) on delete set null,
    created_at bigint not null
  )`,
  `create index contact_messages_newest on contact_messages (created_at)`,
  `create table favorites (
    user_id text not null references users (id) on delete cascade,
    sound_seq integer not null references sounds (seq) on delete cascade,
    created_at bigint not null,
    primary key (user_id, sound_seq)
  )`,
  `create index favorites_newest on favorites (user_id, created_at, sound_seq)`,
  `create index favorites_sound on favorites (sound_seq)`,
];
