import type { Insertable, Kysely } from 'kysely';
import type { ContactMessagesTable, Schema } from '../../../platform/database/database.ts';

export async function insertContactMessage(
  db: Kysely<Schema>,
  message: Insertable<ContactMessagesTable>,
): Promise<void> {
  await db.insertInto('contact_messages').values(message).execute();
}
