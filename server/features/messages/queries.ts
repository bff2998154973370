import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/database/database.ts';

/** Where messages to an artist go; '' when they take none. */
export function findRecipient(db: Kysely<Schema>, artistId: string) {
  return db
    .selectFrom('users')
    .select(['username', 'message_email'])
    .where('id', '=', artistId)
    .executeTakeFirst();
}
