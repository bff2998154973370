import type { Insertable, Kysely } from 'kysely';
import { deleteOlder } from '../../../platform/database/database.ts';
import type { ContactMessagesTable, Schema } from '../../../platform/database/database.ts';

export async function insertContactMessage(
  db: Kysely<Schema>,
  message: Insertable<ContactMessagesTable>,
): Promise<void> {
  await db.insertInto('contact_messages').values(message).execute();
}

/** Deletes messages from before a time (epoch ms). */
export async function deleteOldContactMessages(db: Kysely<Schema>, beforeMs: number): Promise<void> {
  await deleteOlder(db, { table: 'contact_messages', when: ['created_at', '<', beforeMs] });
}
