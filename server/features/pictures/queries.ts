import type { Transaction } from 'kysely';
import type { Database } from '../../database/open.ts';
import type { Schema } from '../../database/schema.ts';

export type PictureColumn = 'picture_key' | 'background_key';

/** Puts a picture's key into its column and returns the one that stood there before. */
export async function replacePictureKey(
  { db, dialect }: Database,
  userId: string,
  column: PictureColumn,
  key: string,
): Promise<string | null> {
  return db.transaction().execute(async (transaction) => {
    const before = await lockKeys(transaction, dialect, userId);
    const values = column === 'picture_key' ? { picture_key: key } : { background_key: key };
    await transaction.updateTable('users').set(values).where('id', '=', userId).execute();
    return before[column];
  });
}

/** SQLite has one writer at a time anyway; in PostgreSQL two uploads would both find the same old key. */
function lockKeys(transaction: Transaction<Schema>, dialect: Database['dialect'], userId: string) {
  return transaction
    .selectFrom('users')
    .select(['picture_key', 'background_key'])
    .where('id', '=', userId)
    .$if(dialect === 'postgres', (query) => query.forNoKeyUpdate())
    .executeTakeFirstOrThrow();
}
