import { domainToASCII } from 'node:url';
import { randomId } from '../../platform/database/statements/random-id.ts';
import type { Database } from '../../platform/database/open.ts';
import type { PersonalInfoStatus } from './tables.ts';
import type { ProfileField } from '../../../contract/accounts/profile-fields.ts';
import { toUsernameKey, toUsernameSkeleton } from '../../../contract/accounts/usernames.ts';
import { insertUser, insertUserUnlessTaken } from './queries.ts';
import { toFlag } from '../../platform/database/tables/parts.ts';

/** An account as created by the demo and tests; everything except the names has a default. */
export interface NewUser extends Readonly<Partial<Record<ProfileField, string>>> {
  /** Generated when omitted. */
  readonly id?: string;
  readonly username: string;
  readonly email: string;
  /** Already hashed; null: log-in is impossible. */
  readonly password_hash?: string | null;
  readonly picture_key?: string | null;
  readonly background_key?: string | null;
  readonly personal_info_status?: PersonalInfoStatus;
  readonly is_personal_info_verified?: boolean;
  readonly is_verified?: boolean;
  readonly is_blocked?: boolean;
  readonly is_staff?: boolean;
  readonly status?: '' | 'pending';
  /** Epoch ms. */
  readonly created_at?: number;
}

/** Adds an account and returns its id. Throws the database's error when the username or e-mail is taken. */
export async function createUser({ db }: Pick<Database, 'db'>, user: NewUser): Promise<string> {
  const row = toRow(user);
  await insertUser(db, row);
  return row.id;
}

/** Adds an account. Returns false and changes nothing when the id, username or e-mail is taken. */
export async function createUserUnlessTaken({ db }: Pick<Database, 'db'>, user: NewUser): Promise<boolean> {
  return insertUserUnlessTaken(db, toRow(user));
}

/**
 * The key for comparing e-mail addresses: ignores case and width, and treats a domain and its punycode form as equal.
 */
export function toEmailKey(email: string): string {
  const text = email
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    // Lowercasing can separate a letter from its accent.
    .normalize('NFKC')
    // PostgreSQL rejects NUL in text.
    .replace(/\p{Cc}/gu, '')
    .trim();
  const at = text.lastIndexOf('@') + 1;
  return text.slice(0, at) + toAsciiDomain(text.slice(at));
}

/**
 * The mailbox that mail to an address reaches, for limits of mails: the key without the tag of `name+tag@host`
 * (RFC 5233), with which one person has any number of addresses. Dots count, because most hosts deliver names with and
 * without them to different people. Not for comparing accounts: an address with a tag can have an account of its own.
 */
export function toMailboxKey(email: string): string {
  return toEmailKey(email).replace(/^([^+@]+)\+[^@]*@/, '$1@');
}

/** Only host names are passed to the URL parser: it would truncate `b.example/x` to `b.example`. */
function toAsciiDomain(domain: string): string {
  const isUnicodeName = /^[\p{L}\p{M}\p{N}\p{So}._。-]+$/u.test(domain) && /[^\0-\x7f]/.test(domain);
  return (isUnicodeName && domainToASCII(domain)) || domain;
}

function toRow(user: NewUser) {
  const { is_personal_info_verified, is_verified, is_blocked, is_staff, ...rest } = user;
  return {
    id: randomId(),
    created_at: Date.now(),
    ...rest,
    username_key: toUsernameKey(user.username),
    username_skeleton: toUsernameSkeleton(user.username),
    email_key: toEmailKey(user.email),
    is_personal_info_verified: toFlag(is_personal_info_verified),
    // A server records them.
    verified_details: is_personal_info_verified ? 'unrecorded' : '',
    is_verified: toFlag(is_verified),
    is_blocked: toFlag(is_blocked),
    is_staff: toFlag(is_staff),
  };
}
