import type { Insertable } from 'kysely';
import { deleteOlder } from '../../../platform/database/statements/delete-older.ts';
import type { ContactMessagesTable, Db } from '../tables.ts';

export async function insertContactMessage(db: Db, message: Insertable<ContactMessagesTable>): Promise<void> {
  await db.insertInto('contact_messages').values(message).execute();
}

/** Takes the oldest messages that are in no mail yet: the caller mails them in the same transaction. */
export async function takeUnmailed(db: Db, limit: number) {
  const oldest = db
    .selectFrom('contact_messages')
    .select('id')
    .where('is_mailed', '=', 0)
    .orderBy('created_at')
    .orderBy('id')
    .limit(limit);
  const rows = await db
    .updateTable('contact_messages')
    .set({ is_mailed: 1 })
    .where('id', 'in', oldest)
    .where('is_mailed', '=', 0)
    .returning(['id', 'name', 'email', 'message', 'user_id', 'created_at'])
    .execute();
  return rows.toSorted((a, b) => a.created_at - b.created_at);
}

/** Deletes messages from before a time (epoch ms). */
export async function deleteOldContactMessages(db: Db, beforeMs: number): Promise<void> {
  await deleteOlder(db, { table: 'contact_messages', when: ['created_at', '<', beforeMs] });
}
