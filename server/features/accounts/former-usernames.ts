import type { Insertable, Kysely } from 'kysely';
import type { FormerUsernamesTable, Schema } from '../../platform/database/database.ts';

type Db = Kysely<Schema>;

/** So long nobody else can take a name that was given up, and pass for whoever had it. */
const KEPT_MS = 90 * 24 * 60 * 60 * 1000;

/** So many names lead to one member at most. */
const KEPT_NAMES_MAX = 10;

/** What two names are compared by (contract/usernames.ts). */
export interface ComparedName {
  readonly username_key: string;
  readonly username_skeleton: string;
}

/** Whether another member than `userId` (null: anybody) has given such a name up lately. */
export async function isNameGivenUp(
  db: Db,
  name: ComparedName,
  userId: string | null,
  nowMs: number,
): Promise<boolean> {
  let query = db
    .selectFrom('former_usernames')
    .select('user_id')
    .where((where) =>
      where.or([
        where('username_key', '=', name.username_key),
        where('username_skeleton', '=', name.username_skeleton),
      ]),
    )
    .where('since', '>', nowMs - KEPT_MS);
  if (userId !== null) query = query.where('user_id', '!=', userId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** Whoever gave a name up last is whom its address leads to. */
export async function keepFormerUsername(db: Db, former: Insertable<FormerUsernamesTable>): Promise<void> {
  const { username_key: _, ...values } = former;
  await db
    .insertInto('former_usernames')
    .values(former)
    .onConflict((on) => on.column('username_key').doUpdateSet(values))
    .execute();
}

/** Only the newest of a member's former names are kept: an address must not lead anywhere for ever. */
export async function forgetOldestUsernames(db: Db, userId: string): Promise<void> {
  await db
    .deleteFrom('former_usernames')
    .where('user_id', '=', userId)
    .where('username_key', 'not in', (former) =>
      former
        .selectFrom('former_usernames')
        .select('username_key')
        .where('user_id', '=', userId)
        .orderBy('since', 'desc')
        .orderBy('username_key')
        .limit(KEPT_NAMES_MAX),
    )
    .execute();
}

export async function deleteFormerUsername(db: Db, userId: string, usernameKey: string): Promise<void> {
  await db
    .deleteFrom('former_usernames')
    .where('username_key', '=', usernameKey)
    .where('user_id', '=', userId)
    .execute();
}
