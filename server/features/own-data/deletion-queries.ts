import { IS_THERE } from '../catalogue/visibility.ts';
import type { Db } from './tables.ts';

/** A member, locked until the transaction ends. Keys are read too, so this uses the stronger of PostgreSQL's locks. */
export function lockMember(transaction: Db, userId: string) {
  return transaction
    .selectFrom('users')
    .select(['id', 'username', 'username_key', 'username_skeleton', 'email', 'email_key', 'message_email'])
    .select(['picture_key', 'background_key', 'is_blocked', 'was_blocked', 'suspension_reason'])
    .select(['deletion_requested_at', 'deleted_at'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}
export type LockedMember = NonNullable<Awaited<ReturnType<typeof lockMember>>>;

/** When the deletion was requested that has not been carried out (epoch ms). */
export async function findDeletionRequest(db: Db, userId: string): Promise<number | undefined> {
  const row = await db
    .selectFrom('users')
    .select('deletion_requested_at')
    .where('id', '=', userId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.deletion_requested_at ?? undefined;
}

/** Accounts whose deletion was requested until a time, oldest first. */
export async function selectDue(db: Db, untilMs: number, limit: number): Promise<string[]> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('deletion_requested_at', '<=', untilMs)
    .where('deleted_at', 'is', null)
    .orderBy('deletion_requested_at')
    .limit(limit)
    .execute();
  return rows.map(({ id }) => id);
}

export async function countOwn(
  db: Db,
  userId: string,
): Promise<{ readonly sounds: number; readonly favorites: number }> {
  const { sounds } = await db
    .selectFrom('sounds')
    .select(({ fn }) => fn.countAll<number>().as('sounds'))
    .where('artist_id', '=', userId)
    .where(IS_THERE)
    .executeTakeFirstOrThrow();
  const { favorites } = await db
    .selectFrom('favorites')
    .select(({ fn }) => fn.countAll<number>().as('favorites'))
    .where('user_id', '=', userId)
    .executeTakeFirstOrThrow();
  return { sounds: Number(sounds), favorites: Number(favorites) };
}

/** As of now; a decision locks the staff accounts instead. */
export async function isLastStaff(db: Db, userId: string): Promise<boolean> {
  const rows = await db
    .selectFrom('users')
    .select('id')
    .where('is_staff', '=', 1)
    .where('is_blocked', '=', 0)
    .limit(2)
    .execute();
  return rows.length === 1 && rows[0]?.id === userId;
}
