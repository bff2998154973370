import type { Database } from '../../database/open.ts';
import { randomId } from '../../database/random-id.ts';
import type { PersonalInfoStatus } from '../../database/schema.ts';
import type { Caller } from '../../http/context.ts';
import { findUserById, insertUser } from './queries.ts';

/** An account as the demo and tests make it; everything but the names has a bare default. */
export interface NewUser {
  readonly username: string;
  readonly email: string;
  /** Ready hashed; null: nobody can log in. */
  readonly password_hash?: string | null;
  readonly name?: string;
  readonly furigana?: string;
  readonly bio?: string;
  readonly picture_key?: string | null;
  readonly background_key?: string | null;
  readonly message_email?: string;
  readonly donation_url?: string;
  readonly bank_name?: string;
  readonly branch_name?: string;
  readonly deposit_type?: string;
  readonly account_number?: string;
  readonly phone_number?: string;
  readonly personal_info_status?: PersonalInfoStatus;
  readonly is_personal_info_verified?: boolean;
  readonly is_verified?: boolean;
  readonly is_blocked?: boolean;
  readonly is_staff?: boolean;
  readonly status?: '' | 'pending';
  /** Epoch ms. */
  readonly created_at?: number;
}

/** Adds an account; its id. Throws the database's error when the username or e-mail is taken. */
export async function createUser({ db }: Database, user: NewUser): Promise<string> {
  const { is_personal_info_verified, is_verified, is_blocked, is_staff, ...rest } = user;
  const id = randomId();
  await insertUser(db, {
    created_at: Date.now(),
    ...rest,
    id,
    username_key: toUsernameKey(user.username),
    email_key: toEmailKey(user.email),
    is_personal_info_verified: is_personal_info_verified ? 1 : 0,
    is_verified: is_verified ? 1 : 0,
    is_blocked: is_blocked ? 1 : 0,
    is_staff: is_staff ? 1 : 0,
  });
  return id;
}

/** The member an access token was made for; undefined when the account is gone. */
export async function identify({ db }: Database, userId: string): Promise<Caller | undefined> {
  const user = await findUserById(db, userId);
  return (
    user && {
      id: user.id,
      username: user.username,
      isBlocked: user.is_blocked === 1,
      isStaff: user.is_staff === 1,
    }
  );
}

/** What two usernames are compared by: width and case make no difference. */
export function toUsernameKey(username: string): string {
  return toKey(username);
}

/** What two e-mail addresses are compared by. */
export function toEmailKey(email: string): string {
  return toKey(email);
}

/** Control characters go: PostgreSQL refuses a NUL in text. */
function toKey(text: string): string {
  return text
    .toWellFormed()
    .normalize('NFKC')
    .toLowerCase()
    .replace(/\p{Cc}/gu, '')
    .trim();
}
