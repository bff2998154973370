import type { Insertable } from 'kysely';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import type { FormerUsernamesTable, Db } from './tables.ts';

/** For this long a released name cannot be taken by another member, who could impersonate the previous owner. */
const RETENTION_MS = 90 * DAY_MS;

/**
 * Maximum number of former names that redirect to one member. More than the renames of a week, which an undo link can
 * take back: until then nobody else may take the name.
 */
const NAMES_MAX = 30;

/** The keys by which two names are compared (contract/accounts/usernames.ts). */
export interface ComparedName {
  readonly username_key: string;
  readonly username_skeleton: string;
}

/** Whether a member other than `userId` (null: any member) recently released such a name. */
export async function isFormerName(
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
    .where('since', '>', nowMs - RETENTION_MS);
  if (userId !== null) query = query.where('user_id', '!=', userId);
  return (await query.limit(1).executeTakeFirst()) !== undefined;
}

/** The address of a former name leads to the member who released it last. */
export async function saveFormerUsername(db: Db, former: Insertable<FormerUsernamesTable>): Promise<void> {
  const { username_key: _, ...values } = former;
  await db
    .insertInto('former_usernames')
    .values(former)
    .onConflict((on) => on.column('username_key').doUpdateSet(values))
    .execute();
}

/** Keeps only the newest former names of a member, so that redirects do not accumulate indefinitely. */
export async function deleteOldestUsernames(db: Db, userId: string): Promise<void> {
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
        .limit(NAMES_MAX),
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

/** Reduces the names of a member whose account is deleted to those that are still reserved. */
export async function deleteFreeUsernames(db: Db, userId: string, nowMs: number): Promise<void> {
  await db
    .deleteFrom('former_usernames')
    .where('user_id', '=', userId)
    .where('since', '<=', nowMs - RETENTION_MS)
    .execute();
}

/** Deletes names of deleted accounts once others may take them; those of members redirect. */
export async function deleteNamesOfDeleted(db: Db, nowMs: number): Promise<void> {
  await db
    .deleteFrom('former_usernames')
    .where('since', '<=', nowMs - RETENTION_MS)
    .where('user_id', 'in', (query) =>
      query.selectFrom('users').select('id').where('deleted_at', 'is not', null),
    )
    .execute();
}
