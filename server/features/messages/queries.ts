import type { Db } from './tables.ts';

/** The recipient address of messages to an artist; '' when they accept none. */
export function findRecipient(db: Db, artistId: string) {
  return db
    .selectFrom('users')
    .select(['username', 'message_email'])
    .where('id', '=', artistId)
    .executeTakeFirst();
}
