import { sql } from 'kysely';
import type { FeatureMigrations, Migration } from '../../platform/database/migrations/migration.ts';
import { TEXT, flag } from '../../platform/database/tables/parts.ts';

const STATEMENTS = [
  `create table users (
    id text primary key,
    username text not null,
    username_key text not null unique,
    username_skeleton text,
    email text not null,
    email_key text not null unique,
    password_hash text,
    name ${TEXT}, furigana ${TEXT}, bio ${TEXT},
    picture_key text, background_key text,
    message_email ${TEXT}, donation_url ${TEXT},
    bank_name ${TEXT}, branch_name ${TEXT}, deposit_type ${TEXT}, account_number ${TEXT}, phone_number ${TEXT},
    personal_info_status ${TEXT} check (personal_info_status in ('', 'pending', 'confirmed', 'rejected')),
    ${flag('is_personal_info_verified')},
    ${flag('is_verified')},
    ${flag('is_blocked')},
    ${flag('was_blocked')},
    suspension_reason text check (suspension_reason is null or is_blocked = 1),
    ${flag('is_staff')},
    status ${TEXT} check (status in ('', 'pending')),
    created_at bigint not null,
    payout_held_until bigint not null default 0,
    deletion_requested_at bigint,
    deleted_at bigint
  )`,
  `create unique index users_skeleton on users (username_skeleton)`,
  // For look-ups of a picture's members by its key.
  `create index users_picture on users (picture_key) where picture_key is not null`,
  `create index users_background on users (background_key) where background_key is not null`,
  `create index users_deletion on users (deletion_requested_at)
    where deletion_requested_at is not null and deleted_at is null`,
  // The staff finds members by their full name.
  `create index users_name on users (name)`,
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
  `create table former_usernames (
    username_key text primary key,
    username_skeleton text not null,
    user_id text not null references users (id) on delete cascade,
    since bigint not null
  )`,
  `create index former_usernames_skeleton on former_usernames (username_skeleton)`,
  `create index former_usernames_user on former_usernames (user_id)`,
  `create table address_changes (
    user_id text not null references users (id) on delete cascade,
    kind text not null check (kind in ('account', 'message')),
    token_hash text not null unique,
    email text not null,
    created_at bigint not null,
    expires_at bigint not null,
    primary key (user_id, kind)
  )`,
  `create index address_changes_expiry on address_changes (expires_at)`,
  `create table undo_links (
    token_hash text primary key,
    user_id text not null references users (id) on delete cascade,
    before text not null,
    mail_id text,
    created_at bigint not null,
    expires_at bigint not null
  )`,
  `create index undo_links_user on undo_links (user_id, created_at)`,
  `create index undo_links_expiry on undo_links (expires_at)`,
  `create table sessions (
    id text primary key,
    user_id text not null references users (id) on delete cascade,
    token_hash text not null,
    previous_hash text,
    rotated_at bigint,
    created_at bigint not null,
    expires_at bigint not null,
    authenticated_at bigint not null default 0,
    second_factor_at bigint not null default 0
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
  `create table password_failures (
    account text not null,
    source text not null,
    provider text not null,
    failures integer not null,
    since bigint not null,
    failed_at bigint not null,
    primary key (account, source)
  )`,
  `create index password_failures_since on password_failures (since)`,
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
];

/**
 * The staff finds members by the beginning of a username or e-mail address. SQLite's indexes of unique columns are
 * ordered by code points already; those of PostgreSQL follow the language of the database.
 */
const POSTGRES_INDEXES = [
  `create index users_username_prefix on users (username_key collate "C")`,
  `create index users_email_prefix on users (email_key collate "C")`,
];

/** Members who are verified already are recorded by the first server of this version. */
const verifiedDetails: Migration = {
  name: '0016-verified-details',
  async up(db) {
    await sql`alter table users add column verified_details ${sql.raw(TEXT)}`.execute(db);
    await sql`update users set verified_details = 'unrecorded'
      where personal_info_status = 'confirmed'`.execute(db);
  },
};

export const accountMigrations: FeatureMigrations = {
  baseline: (dialect) => [...STATEMENTS, ...(dialect === 'postgres' ? POSTGRES_INDEXES : [])],
  later: [verifiedDetails],
};
