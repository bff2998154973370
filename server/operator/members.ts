import type { Transaction } from 'kysely';
import type { Database, Flag, Schema } from '../platform/database/database.ts';
import { deleteSessionsOf, toEmailKey } from '../features/accounts/accounts.ts';
import { lockStaff, recordAction } from '../features/staff/staff.ts';
import type { Clock } from '../platform/concurrency/concurrency.ts';
import { Refusal } from './refusals.ts';

interface MemberDeps {
  readonly database: Database;
  readonly clock: Clock;
}

/** Throws `Refusal` if no account has the address. */
export async function getMember({ db }: Database, email: string) {
  const member = await db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'name', 'is_verified', 'is_blocked', 'is_staff', 'status'])
    .select(['personal_info_status', 'suspension_reason', 'was_blocked', 'created_at'])
    .select('deletion_requested_at')
    .where('email_key', '=', toEmailKey(email))
    .executeTakeFirst();
  if (member === undefined) throw new Refusal(`${email}: no member has this address`);
  return member;
}
export type Member = Awaited<ReturnType<typeof getMember>>;

/** The deciding staff account. Throws `Refusal` if it is not staff or is blocked. */
export async function getStaff(database: Database, email: string): Promise<Member> {
  const member = await getMember(database, email);
  if (member.is_staff === 0) throw new Refusal(`${email}: this is not a staff account`);
  if (member.is_blocked === 1) throw new Refusal(`${email}: this staff account is blocked`);
  return member;
}

export function countSounds({ db }: Database, memberId: string) {
  return db
    .selectFrom('sounds')
    .select((eb) => eb.fn.countAll<number>().as('sounds'))
    .where('artist_id', '=', memberId)
    .executeTakeFirstOrThrow();
}

/**
 * Blocking ends every session of the member. Throws `Refusal` if nothing would change, or the acting account may not do
 * it.
 */
export async function setBlocked(
  deps: MemberDeps,
  member: Member,
  staffId: string,
  is_blocked: Flag,
): Promise<void> {
  if (member.id === staffId) throw new Refusal('you cannot block or unblock the account you act as');
  await deps.database.db.transaction().execute(async (transaction) => {
    const staff = await lockStaff(transaction);
    if (!staff.includes(staffId)) throw new Refusal('the acting account is no longer a staff account');
    await requireUnaffected(transaction, member);
    await setFlag(transaction, member, 'is_blocked', is_blocked);
    if (is_blocked === 1) await deleteSessionsOf(transaction, member.id);
    const action = is_blocked === 1 ? 'block member' : 'unblock member';
    await recordAction(transaction, { staffId, action, subject: member.id }, deps.clock.now());
  });
}

/** Locks the member until the transaction ends. Throws `Refusal` while something else decides whether it is blocked. */
async function requireUnaffected(transaction: Transaction<Schema>, { id, email }: Member): Promise<void> {
  const { suspension_reason, deletion_requested_at } = await transaction
    .selectFrom('users')
    .select(['suspension_reason', 'deletion_requested_at'])
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow();
  if (suspension_reason !== null) throw new Refusal(`${email} is suspended: use unsuspend`);
  if (deletion_requested_at !== null) throw new Refusal(`${email} is being deleted`);
}

/**
 * Grants or revokes staff rights. `staffId` may be null for the first staff account only; the last one cannot be
 * revoked. Throws `Refusal`.
 */
export async function setStaff(
  deps: MemberDeps,
  member: Member,
  staffId: string | null,
  is_staff: Flag,
): Promise<void> {
  await deps.database.db.transaction().execute(async (transaction) => {
    const staff = await lockStaff(transaction);
    const isAllowed = staffId === null ? staff.length === 0 && is_staff === 1 : staff.includes(staffId);
    if (!isAllowed) throw new Refusal('only a staff account can do this: use --as EMAIL');
    if (is_staff === 0 && staff.length === 1 && staff.includes(member.id)) {
      throw new Refusal(`${member.email} is the last staff account: add another one first`);
    }
    await setFlag(transaction, member, 'is_staff', is_staff);
    const action = is_staff === 1 ? 'make staff' : 'remove staff';
    await recordAction(transaction, { staffId, action, subject: member.id }, deps.clock.now());
  });
}

export async function hasStaff({ db }: Database): Promise<boolean> {
  const row = await db
    .selectFrom('users')
    .select('id')
    .where('is_staff', '=', 1)
    .where('is_blocked', '=', 0)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** If two staff members change the same flag at once, the second gets a refusal. */
async function setFlag(
  transaction: Transaction<Schema>,
  { id, email }: Member,
  flag: 'is_blocked' | 'is_staff',
  value: Flag,
): Promise<void> {
  const { numUpdatedRows } = await transaction
    .updateTable('users')
    .set({ [flag]: value })
    .where('id', '=', id)
    .where(flag, '!=', value)
    .executeTakeFirstOrThrow();
  if (numUpdatedRows > 0n) return;
  const state = flag === 'is_blocked' ? 'blocked' : 'staff';
  throw new Refusal(`${email} is ${value === 1 ? 'already' : 'not'} ${state}`);
}
