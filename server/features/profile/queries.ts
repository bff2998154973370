import { PROFILE_NAMES } from '../../../contract/accounts/profile-fields.ts';
import { exists } from '../../platform/database/statements/outcomes.ts';
import type { ComparedName } from '../accounts/former-usernames.ts';
import type { Db } from './tables.ts';
import type { PictureKind } from '../../../contract/site/pictures.ts';
import type { Database } from '../../platform/database/open.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { updateMemberRow } from '../accounts/queries.ts';
import { retirePicture } from '../pictures/queries.ts';

export function findProfileRow(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['id', ...PROFILE_NAMES, 'picture_key', 'background_key'])
    .select(['personal_info_status', 'is_personal_info_verified', 'is_verified', 'is_blocked', 'is_staff'])
    .select(['suspension_reason', 'status', 'created_at', 'payout_held_until'])
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
    .select(['id', 'username_key', 'username_skeleton', 'email_key', ...PROFILE_NAMES])
    .select(['personal_info_status', 'is_personal_info_verified', 'is_blocked'])
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
}

export type LockedProfile = NonNullable<Awaited<ReturnType<typeof lockProfile>>>;

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

export type PictureColumn = 'picture_key' | 'background_key';

/**
 * Stores a picture's key in its column and retires the previous one. For a blocked member, returns false and retires
 * the new one.
 */
export async function replacePictureKey(
  { db }: Database,
  userId: string,
  { kind, column, key }: { kind: PictureKind; column: PictureColumn; key: string },
  nowMs: number,
): Promise<boolean> {
  return db.transaction().execute(async (transaction: Handle) => {
    const { is_blocked, [column]: before } = await lockKeys(transaction, userId);
    const isBlocked = is_blocked === 1;
    if (!isBlocked) {
      const values = column === 'picture_key' ? { picture_key: key } : { background_key: key };
      await updateMemberRow(transaction, userId, values);
    }
    const picture_key = isBlocked ? key : before;
    if (picture_key !== null) await retirePicture(transaction, { picture_key, kind }, nowMs);
    return !isBlocked;
  });
}

/** SQLite has one writer at a time anyway; in PostgreSQL two uploads would both find the same old key. */
function lockKeys(transaction: Db, userId: string) {
  return transaction
    .selectFrom('users')
    .select(['picture_key', 'background_key', 'is_blocked'])
    .where('id', '=', userId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
}
