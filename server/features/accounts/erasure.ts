import { PROFILE_NAMES } from '../../../contract/accounts/profile-fields.ts';
import type { MemberErasure } from '../member-erasure.ts';
import { deleteFreeUsernames, saveFormerUsername } from './former-usernames.ts';
import { updateMemberRow } from './queries.ts';
import type { Db } from './tables.ts';

/** All fields of the profile except the name, which becomes a pseudonym. */
const ERASED_FIELDS = PROFILE_NAMES.filter((field) => field !== 'username');

/** The columns that describe a member, as they are in the row of a deleted account. */
export const ERASED_COLUMNS = {
  ...(Object.fromEntries(ERASED_FIELDS.map((field) => [field, ''])) as Record<
    (typeof ERASED_FIELDS)[number],
    ''
  >),
  password_hash: null,
  picture_key: null,
  background_key: null,
  is_staff: 0,
} as const;

export const ACCOUNTS_ERASURE: MemberErasure = {
  access: ({ database: { db } }, userId) => deleteAccess(db, userId),

  async rows(db: Db, { id: user_id, email_key, username_key, username_skeleton }, nowMs) {
    await deleteAccess(db, user_id);
    await db.deleteFrom('second_factors').where('user_id', '=', user_id).execute();
    await db.deleteFrom('registrations').where('email_key', '=', email_key).execute();
    await deleteFreeUsernames(db, user_id, nowMs);
    await saveFormerUsername(db, { username_key, username_skeleton, user_id, since: nowMs });
  },

  member: (transaction, { id }, nowMs) => pseudonymise(transaction, id, nowMs),
};

/** Deletes what can lead back into the account: links in mails, and sessions. Small, whatever the account holds. */
async function deleteAccess(db: Db, userId: string): Promise<void> {
  for (const table of ['sessions', 'password_resets', 'address_changes', 'undo_links'] as const)
    await db.deleteFrom(table).where('user_id', '=', userId).execute();
}

/** Replaces everything that describes the member. `#` is allowed in no username, so that nobody can take the name. */
async function pseudonymise(db: Db, userId: string, deleted_at: number): Promise<void> {
  const key = `#${userId}`;
  await updateMemberRow(db, userId, {
    ...ERASED_COLUMNS,
    username: `退会済み${key.slice(0, 9)}`,
    username_key: key,
    username_skeleton: key,
    email_key: key,
    personal_info_status: '',
    is_personal_info_verified: 0,
    verified_details: '',
    is_verified: 0,
    is_blocked: 1,
    was_blocked: 0,
    suspension_reason: null,
    status: '',
    payout_held_until: 0,
    deleted_at,
  });
}
