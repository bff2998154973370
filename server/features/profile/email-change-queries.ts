import type { Insertable, Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { EmailChangesTable } from '../../database/schema-profiles.ts';

type Db = Kysely<Schema>;

/** The address that a member waits to have confirmed. */
export function findEmailChange(db: Db, userId: string, nowMs: number) {
  return db
    .selectFrom('email_changes')
    .select('email')
    .where('user_id', '=', userId)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
}

/** In place of the one before, whose link is worth nothing from now on. */
export async function replaceEmailChange(db: Db, change: Insertable<EmailChangesTable>): Promise<void> {
  const { user_id: _, ...values } = change;
  await db
    .insertInto('email_changes')
    .values(change)
    .onConflict((on) => on.column('user_id').doUpdateSet(values))
    .execute();
}

export async function deleteEmailChange(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('email_changes').where('user_id', '=', userId).execute();
}

/** The change that a link stands for, if it can still be made; it is gone then. */
export function takeEmailChange(db: Db, userId: string, tokenHash: string, nowMs: number) {
  return db
    .deleteFrom('email_changes')
    .where('user_id', '=', userId)
    .where('token_hash', '=', tokenHash)
    .where('expires_at', '>', nowMs)
    .returning('email')
    .executeTakeFirst();
}
