import type { Kysely, Updateable } from 'kysely';
import { exists } from '../../platform/database/outcomes.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { UsersTable } from '../../platform/database/tables/accounts.ts';
import type { ComparedName } from '../accounts/former-usernames.ts';

type Db = Kysely<Schema>;

export function findProfileRow(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'name', 'furigana', 'bio', 'picture_key', 'background_key'])
    .select(['message_email', 'donation_url', 'bank_name', 'branch_name', 'deposit_type'])
    .select(['account_number', 'phone_number', 'personal_info_status', 'is_personal_info_verified'])
    .select(['is_verified', 'is_blocked', 'suspension_reason', 'status', 'created_at', 'payout_held_until'])
    .select(['is_staff', 'name_reading'])
    .select((eb) =>
      eb
        .exists(eb.selectFrom('sounds').select('seq').whereRef('artist_id', '=', 'users.id'))
        .as('has_sounds'),
    )
    .where('id', '=', userId)
    .executeTakeFirst();
}

/**
 * The data by which a change is judged, locked until the transaction ends. Uses the stronger of PostgreSQL's locks:
 * names and addresses are keys, and adding a sound waits for the name by which it will be found.
 */
export function lockProfile(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'username_key', 'username_skeleton', 'email', 'email_key'])
    .select(['name_reading', 'bio', 'message_email', 'donation_url', 'name', 'furigana', 'phone_number'])
    .select(['bank_name', 'branch_name', 'deposit_type', 'account_number'])
    .select(['personal_info_status', 'is_personal_info_verified', 'is_blocked'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export type LockedProfile = NonNullable<Awaited<ReturnType<typeof lockProfile>>>;

export async function updateProfileRow(
  db: Db,
  userId: string,
  values: Updateable<UsersTable>,
): Promise<void> {
  await db.updateTable('users').set(values).where('id', '=', userId).execute();
}

/** Whether another member has this name or one that looks like it. */
export async function isNameOfAnother(db: Db, name: ComparedName, userId: string): Promise<boolean> {
  return exists(
    db
      .selectFrom('users')
      .select('id')
      .where((where) =>
        where.or([
          where('username_key', '=', name.username_key),
          where('username_skeleton', '=', name.username_skeleton),
        ]),
      )
      .where('id', '!=', userId)
      .limit(1),
  );
}
