import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

/** The recipient address of messages to an artist; '' when they accept none. */
export function findRecipient(db: Kysely<Schema>, artistId: string) {
  return db
    .selectFrom('users')
    .select(['username', 'message_email'])
    .where('id', '=', artistId)
    .executeTakeFirst();
}
