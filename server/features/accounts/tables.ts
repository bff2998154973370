import type { Kysely } from 'kysely';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Own = Pick<
  Schema,
  | 'address_changes'
  | 'former_usernames'
  | 'password_failures'
  | 'password_resets'
  | 'recovery_codes'
  | 'registrations'
  | 'second_factors'
  | 'sessions'
  | 'undo_links'
  | 'users'
>;
type Others = ReadOnly<Pick<Schema, 'sounds'>>;

/** What the queries of this feature see. */
export type Db = Kysely<Own & Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
