import { changesRows, exists } from '../../platform/database/statements/outcomes.ts';
import type { Database } from '../../platform/database/open.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';
import { notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { lockStaff, recordAction, requireStaff } from '../staff/actions.ts';
import type { RecordedAction } from '../staff/actions.ts';
import { memberRefused } from './member-refused.ts';
import { deleteSessionsOf } from './queries.ts';
import { toEmailKey } from './users.ts';
import type { Handle } from '../../platform/database/handle.ts';
import type { Db } from './tables.ts';
import { own } from './tables.ts';

type MemberDeps = Pick<Platform, 'database' | 'clock'>;

/** Undefined if no account has the address. */
export function findMemberByEmail(db: Db, email: string) {
  return selectMembers(db).where('email_key', '=', toEmailKey(email)).executeTakeFirst();
}
export type Member = NonNullable<Awaited<ReturnType<typeof findMemberByEmail>>>;

/** Undefined if there is no such account or only its pseudonym is left. */
export function findMember(db: Db, id: string): Promise<Member | undefined> {
  return selectMembers(db).where('id', '=', id).where('deleted_at', 'is', null).executeTakeFirst();
}

function selectMembers(db: Db) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'name', 'is_verified', 'is_blocked', 'is_staff', 'status'])
    .select(['personal_info_status', 'furigana', 'suspension_reason', 'was_blocked', 'created_at'])
    .select('deletion_requested_at');
}

export function countSounds({ db }: Database, memberId: string) {
  return own(db)
    .selectFrom('sounds')
    .select((eb) => eb.fn.countAll<number>().as('sounds'))
    .where('artist_id', '=', memberId)
    .where('deleted_at', 'is', null)
    .executeTakeFirstOrThrow();
}

/**
 * Blocking ends every session of the member. Throws `Problem` if nothing would change, or the acting account may
 * not do it; `Problem` 404.
 */
export async function setBlocked(
  { database, clock }: MemberDeps,
  memberId: string,
  staffId: string,
  is_blocked: Flag,
): Promise<void> {
  if (memberId === staffId) throw memberRefused('self');
  await database.db.transaction().execute(async (transaction: Handle) => {
    const staff = await lockStaff(transaction);
    if (!staff.includes(staffId)) throw memberRefused('not-staff');
    await requireUnaffected(transaction, memberId);
    if (!(await setFlag(transaction, memberId, 'is_blocked', is_blocked))) {
      throw memberRefused(is_blocked === 1 ? 'already-blocked' : 'not-blocked');
    }
    if (is_blocked === 1) await deleteSessionsOf(transaction, memberId);
    const action = is_blocked === 1 ? 'block member' : 'unblock member';
    await recordAction(transaction, { staffId, action, subject: memberId }, clock.now());
  });
}

/**
 * Ends every session of a member, who has to give the password again. Throws `Problem` if there is none, or the
 * acting account may not do it; `Problem` 403.
 */
export async function endSessionsAsStaff(
  { database, clock }: MemberDeps,
  memberId: string,
  staffId: string,
): Promise<void> {
  if (memberId === staffId) throw memberRefused('self');
  await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    if ((await deleteSessionsOf(transaction, memberId)) === 0) throw memberRefused('no-sessions');
    const action: RecordedAction = { staffId, action: 'end sessions', subject: memberId };
    await recordAction(transaction, action, clock.now());
  });
}

/** Locks the member until the transaction ends. Throws while something else decides whether it is blocked. */
async function requireUnaffected(transaction: Db, memberId: string): Promise<void> {
  const member = await transaction
    .selectFrom('users')
    .select(['suspension_reason', 'deletion_requested_at'])
    .where('id', '=', memberId)
    .forNoKeyUpdate()
    .executeTakeFirst();
  if (member === undefined) throw notFound();
  if (member.suspension_reason !== null) throw memberRefused('suspended');
  if (member.deletion_requested_at !== null) throw memberRefused('deleting');
}

/**
 * Grants or revokes staff rights. `staffId` may be null for the first staff account only; the last one cannot be
 * revoked. Throws `Problem`.
 */
export async function setStaff(
  { database, clock }: MemberDeps,
  memberId: string,
  staffId: string | null,
  is_staff: Flag,
): Promise<void> {
  await database.db.transaction().execute(async (transaction: Handle) => {
    const staff = await lockStaff(transaction);
    const isAllowed = staffId === null ? staff.length === 0 && is_staff === 1 : staff.includes(staffId);
    if (!isAllowed) throw memberRefused('not-staff');
    if (is_staff === 0 && staff.length === 1 && staff.includes(memberId)) {
      throw memberRefused('last-staff');
    }
    if (!(await setFlag(transaction, memberId, 'is_staff', is_staff))) {
      throw memberRefused(is_staff === 1 ? 'already-staff' : 'no-staff-account');
    }
    const action = is_staff === 1 ? 'make staff' : 'remove staff';
    await recordAction(transaction, { staffId, action, subject: memberId }, clock.now());
  });
}

export async function hasStaff({ db }: Database): Promise<boolean> {
  return exists(
    own(db).selectFrom('users').select('id').where('is_staff', '=', 1).where('is_blocked', '=', 0).limit(1),
  );
}

/** Returns false if the flag has this value already: of two who change it at once, the second changes nothing. */
async function setFlag(
  transaction: Db,
  memberId: string,
  flag: 'is_blocked' | 'is_staff',
  value: Flag,
): Promise<boolean> {
  return changesRows(
    transaction
      .updateTable('users')
      .set({ [flag]: value })
      .where('id', '=', memberId)
      .where(flag, '!=', value),
  );
}
