import type { Insertable, Kysely } from 'kysely';
import { changeInBatches } from '../../../platform/database/database.ts';
import type { ContactMessagesTable, Schema } from '../../../platform/database/database.ts';

export async function insertContactMessage(
  db: Kysely<Schema>,
  message: Insertable<ContactMessagesTable>,
): Promise<void> {
  await db.insertInto('contact_messages').values(message).execute();
}

/** Deletes messages from before a time (epoch ms). */
export async function deleteOldContactMessages(db: Kysely<Schema>, beforeMs: number): Promise<void> {
  await changeInBatches((limit) =>
    db
      .deleteFrom('contact_messages')
      .where('id', 'in', (query) =>
        query
          .selectFrom('contact_messages')
          .select('id')
          .where('created_at', '<', beforeMs)
          .orderBy('created_at')
          .limit(limit),
      )
      .executeTakeFirstOrThrow(),
  );
}
