import { sql } from 'kysely';
import type { Generated, Kysely, RawBuilder } from 'kysely';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { DialectName } from '../../platform/database/migrations/migration.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';

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

/** One log-in, with its chain of refresh tokens. Deleted when it ends. */
export interface SessionsTable {
  id: string;
  user_id: string;
  /** SHA-256 of the current refresh token, in hex. */
  token_hash: string;
  /** The previous one, which a second tab may still send; initially null. */
  previous_hash: string | null;
  /** When the previous one was exchanged. */
  rotated_at: number | null;
  created_at: number;
  /** Extended by each refresh, up to a limit. */
  expires_at: number;
  /** When the password and a code of the second factor were last given; 0: never. Not changed by a refresh. */
  authenticated_at: Generated<number>;
  second_factor_at: Generated<number>;
  /** Where it began: `describeDevice`, and `toNetworkGroup` of the address; '' where it is not known. */
  device: Generated<string>;
  network: Generated<string>;
}

/** Links to choose a new password. */
export interface PasswordResetsTable {
  /** SHA-256 of the token in the mail, in hex. */
  token_hash: string;
  user_id: string;
  expires_at: number;
  used_at: number | null;
  created_at: number;
}

/** Wrong passwords and codes of the last day. All columns except counts and times are keyed hashes. */
interface PasswordFailuresTable {
  /** Of an e-mail address, with or without an account. */
  account: string;
  /** Of a known device, or of a network. */
  source: string;
  /** Of a network; '' for a device. */
  provider: string;
  failures: number;
  /** Time of the first failure; failures are deleted a day later. */
  since: number;
  /** Time of the last failure. */
  failed_at: number;
}

/** The second factor of a staff account. */
interface SecondFactorsTable {
  user_id: string;
  /** Sealed with a key derived from the host's secret, in base64. */
  secret: string;
  /** The last time step whose code was used; no code is accepted twice. */
  last_step: number;
  created_at: number;
  /** null until the first code was given: it has no effect before. */
  confirmed_at: number | null;
}

/** Codes for a lost device. A used one is deleted. */
interface RecoveryCodesTable {
  user_id: string;
  /** Keyed hash. */
  code_hash: string;
}

interface AccountTables {
  users: UsersTable;
  registrations: RegistrationsTable;
  former_usernames: FormerUsernamesTable;
  address_changes: AddressChangesTable;
  undo_links: UndoLinksTable;
  sessions: SessionsTable;
  password_resets: PasswordResetsTable;
  password_failures: PasswordFailuresTable;
  second_factors: SecondFactorsTable;
  recovery_codes: RecoveryCodesTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends AccountTables {}
}

type Others = ReadOnly<Pick<Schema, 'sounds'>>;

/** What the queries of this feature see. */
export type Db = Kysely<AccountTables & Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;

/** The part of an address after the @, in the order of code points, as both databases can index it. */
export function toEmailDomain(dialect: DialectName): RawBuilder<string> {
  return dialect === 'postgres'
    ? sql`split_part(email_key, '@', 2) collate "C"`
    : sql`substr(email_key, instr(email_key, '@') + 1)`;
}
