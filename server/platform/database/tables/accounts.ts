import { sql } from 'kysely';
import type { Generated, RawBuilder } from 'kysely';
import type { DialectName, Migration } from '../migrations/migration.ts';
import { TEXT, flag } from './parts.ts';
import type { Flag } from './parts.ts';

/** The part of an address after the @, in the order of code points, as both databases can index it. */
export function toEmailDomain(dialect: DialectName): RawBuilder<string> {
  return dialect === 'postgres'
    ? sql`split_part(email_key, '@', 2) collate "C"`
    : sql`substr(email_key, instr(email_key, '@') + 1)`;
}

export interface UsersTable {
  id: string;
  username: string;
  /** `toUsernameKey(username)`; unique. */
  username_key: string;
  /** `toUsernameSkeleton(username)`; unique: no two names look alike. */
  username_skeleton: string;
  /** How the artist says that the name is read, in hiragana; '' if it is not given. */
  name_reading: Generated<string>;
  email: string;
  /** `toEmailKey(email)`; unique. */
  email_key: string;
  password_hash: string | null;
  name: Generated<string>;
  furigana: Generated<string>;
  bio: Generated<string>;
  picture_key: string | null;
  background_key: string | null;
  message_email: Generated<string>;
  donation_url: Generated<string>;
  bank_name: Generated<string>;
  branch_name: Generated<string>;
  deposit_type: Generated<string>;
  account_number: Generated<string>;
  phone_number: Generated<string>;
  /** Spec §4. */
  personal_info_status: Generated<PersonalInfoStatus>;
  is_personal_info_verified: Generated<Flag>;
  /** A keyed hash of the bank account that was verified, `unrecorded`, or ''. */
  verified_details: Generated<string>;
  is_verified: Generated<Flag>;
  /** Also 1 for a suspended member. */
  is_blocked: Generated<Flag>;
  /** `is_blocked` before the suspension; restored when the suspension ends. */
  was_blocked: Generated<Flag>;
  /** Why the member is suspended, as shown to the member; null for a member who is not. */
  suspension_reason: string | null;
  is_staff: Generated<Flag>;
  /** 'pending' while the quality check is under review. */
  status: Generated<'' | 'pending'>;
  created_at: number;
  /** No payout is requested or paid before this time; 0 when payouts are not held. */
  payout_held_until: Generated<number>;
  /** When the member asked to delete the account, which is hidden since then; null for an account that stays. */
  deletion_requested_at: number | null;
  /** When everything except the books was deleted; this row is a pseudonym since then. */
  deleted_at: number | null;
}

export type PersonalInfoStatus = '' | 'pending' | 'confirmed' | 'rejected';

/** Accounts with an unconfirmed address; confirmation creates a user with this id. */
export interface RegistrationsTable {
  id: string;
  username: string;
  username_key: string;
  username_skeleton: string;
  email: string;
  email_key: string;
  password_hash: string;
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  created_at: number;
  expires_at: number;
}

/** Former usernames; the addresses of their pages redirect. */
export interface FormerUsernamesTable {
  username_key: string;
  username_skeleton: string;
  user_id: string;
  /** When the name was given up. */
  since: number;
}

/** An address that waits for confirmation; at most one of each kind per member, deleted once it is in use. */
export interface AddressChangesTable {
  user_id: string;
  /** Its use: for the account, or for visitors' messages. */
  kind: 'account' | 'message';
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  email: string;
  created_at: number;
  expires_at: number;
}

/** A mailed link that undoes a change and all later ones; deleted once used or expired. */
interface UndoLinksTable {
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  user_id: string;
  /** The values before the change, by field, as JSON; `{}` if the change does not concern the profile. */
  before: string;
  /** For sounds: the mail with the link, which waits in the outbox for further changes. */
  mail_id: string | null;
  /** When that mail is sent; it names what happened before. null: ten minutes after `created_at`. */
  mailed_at: Generated<number | null>;
  created_at: number;
  expires_at: number;
}

/** Accounts and sounds that were erased, until the list beside the backups has forgotten them too. */
interface ErasuresTable {
  id: string;
  kind: 'account' | 'sound';
  erased_at: number;
}

export interface AccountTables {
  users: UsersTable;
  registrations: RegistrationsTable;
  former_usernames: FormerUsernamesTable;
  address_changes: AddressChangesTable;
  undo_links: UndoLinksTable;
  erasures: ErasuresTable;
}

/** Sounds that were erased before are unknown. */
export const erasures: Migration = {
  name: '0004-erasures',
  async up(db) {
    await sql`create table erasures (
      id text primary key,
      kind text not null check (kind in ('account', 'sound')),
      erased_at bigint not null
    )`.execute(db);
    await sql`create index erasures_by_time on erasures (erased_at)`.execute(db);
    await sql`insert into erasures (id, kind, erased_at)
      select id, 'account', deleted_at from users where deleted_at is not null`.execute(db);
  },
};

/** Members who are verified already are recorded by the first server of this version. */
export const verifiedDetails: Migration = {
  name: '0016-verified-details',
  async up(db) {
    await sql`alter table users add column verified_details ${sql.raw(TEXT)}`.execute(db);
    await sql`update users set verified_details = 'unrecorded'
      where personal_info_status = 'confirmed'`.execute(db);
  },
};

export function toAccountTables(dialect: DialectName): string[] {
  return [...STATEMENTS, ...(dialect === 'postgres' ? POSTGRES_INDEXES : [])];
}

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
];

/**
 * The staff finds members by the beginning of a username or e-mail address. SQLite's indexes of unique columns are
 * ordered by code points already; those of PostgreSQL follow the language of the database.
 */
const POSTGRES_INDEXES = [
  `create index users_username_prefix on users (username_key collate "C")`,
  `create index users_email_prefix on users (email_key collate "C")`,
];
