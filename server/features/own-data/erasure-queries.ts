import type { LockedMember } from './deletion-queries.ts';
import type { Db } from './tables.ts';
import type { Handle } from '../../platform/database/handle.ts';
import { recordErasure } from '../backups/erasure-queries.ts';
import { updateMemberRow } from '../accounts/queries.ts';

/** Rows that name a member by id and serve nobody else. */
const OWN_TABLES = [
  'sessions',
  'second_factors',
  'password_resets',
  'address_changes',
  'undo_links',
  'member_traces',
  'contact_messages',
  'download_intents',
  'unindexed_artists',
  'use_mails',
] as const;

/** Deletes what can lead back into the account: links in mails, and sessions. Small, whatever the account holds. */
export async function deleteAccess(db: Db, userId: string): Promise<void> {
  for (const table of ['sessions', 'password_resets', 'address_changes', 'undo_links'] as const) {
    await db.deleteFrom(table).where('user_id', '=', userId).execute();
  }
}

/** Deletes the member's rows and their mentions in rows of others. The books refer to the id, which stays. */
export async function deleteMentions(
  transaction: Db,
  { id, email, email_key, message_email }: LockedMember,
): Promise<void> {
  for (const table of OWN_TABLES) await transaction.deleteFrom(table).where('user_id', '=', id).execute();
  const addresses = [...new Set([email, message_email])].filter((address) => address !== '');
  await transaction.deleteFrom('contact_messages').where('email', 'in', addresses).execute();
  await transaction.deleteFrom('registrations').where('email_key', '=', email_key).execute();
  await transaction.deleteFrom('mail_outbox').where('to_address', 'in', addresses).execute();
  await transaction
    .updateTable('mail_outbox')
    .set({ reply_to: null })
    .where('reply_to', 'in', addresses)
    .where('state', '!=', 'waiting')
    .execute();
  await transaction
    .deleteFrom('sound_copies')
    .where((where) => where.or([where('artist_id', '=', id), where('original_artist_id', '=', id)]))
    .execute();
  await transaction
    .deleteFrom('download_counts')
    .where('subject', 'in', [`member:${id}`, `artist:${id}`])
    .execute();
  await transaction
    .updateTable('download_credits')
    .set({ visitor: null, user_id: null, network: null })
    .where('user_id', '=', id)
    .execute();
  await transaction
    .deleteFrom('uses')
    .where('certificate_id', 'in', (query) =>
      query.selectFrom('certificates').select('id').where('user_id', '=', id),
    )
    .execute();
  await transaction.updateTable('certificates').set({ user_id: null }).where('user_id', '=', id).execute();
  // The report stays for its reporter and the staff.
  await transaction
    .updateTable('reports')
    .set({ artist_id: null, answer: '' })
    .where('artist_id', '=', id)
    .execute();
  await transaction
    .updateTable('transfer_requests')
    .set({ email: '', reason: '' })
    .where('user_id', '=', id)
    .execute();
}

/** Rejects the credits that wait for the staff: nobody could receive them. */
export async function rejectHeldCredits(db: Db, artistId: string, nowMs: number): Promise<void> {
  await db
    .updateTable('download_credits')
    .set({ state: 'rejected', reason: 'account deleted', decided_at: nowMs })
    .where('artist_id', '=', artistId)
    .where('state', '=', 'held')
    .execute();
}

/**
 * Replaces everything that describes the member, and records the erasure. `#` is allowed in no username, so that nobody
 * can take the name.
 */
export async function pseudonymise(db: Handle, userId: string, deleted_at: number): Promise<void> {
  const key = `#${userId}`;
  await updateMemberRow(db, userId, {
    username: `退会済み${key.slice(0, 9)}`,
    username_key: key,
    username_skeleton: key,
    name_reading: '',
    email: '',
    email_key: key,
    password_hash: null,
    name: '',
    furigana: '',
    bio: '',
    picture_key: null,
    background_key: null,
    message_email: '',
    donation_url: '',
    bank_name: '',
    branch_name: '',
    deposit_type: '',
    account_number: '',
    phone_number: '',
    personal_info_status: '',
    is_personal_info_verified: 0,
    verified_details: '',
    is_verified: 0,
    is_blocked: 1,
    was_blocked: 0,
    suspension_reason: null,
    is_staff: 0,
    status: '',
    payout_held_until: 0,
    deleted_at,
  });
  await recordErasure(db, { id: userId, kind: 'account' }, deleted_at);
}
