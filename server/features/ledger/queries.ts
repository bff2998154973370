import type { Insertable } from 'kysely';
import { PAYOUT_FIELDS } from '../../../contract/accounts/profile-fields.ts';
import { exists } from '../../platform/database/statements/outcomes.ts';
import type { PayoutRequestsTable, Db } from './tables.ts';

type State = PayoutRequestsTable['state'];

/** What decides whether a member can be paid, and the account to pay to. */
export function findPayee(db: Db, userId: string) {
  return selectPayee(db, userId).executeTakeFirst();
}

/** Same as `findPayee`, locked until the transaction ends. Locked before the balance, in the same order as an undo. */
export function lockPayee(db: Db, userId: string) {
  return selectPayee(db, userId).forNoKeyUpdate().executeTakeFirst();
}

function selectPayee(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email_key', 'is_blocked', 'is_personal_info_verified', ...PAYOUT_FIELDS])
    .select(['payout_held_until', 'deleted_at'])
    .where('id', '=', userId);
}

export function findPayoutByKey(db: Db, userId: string, idempotencyKey: string) {
  return db
    .selectFrom('transfer_requests')
    .select(['id', 'amount', 'email', 'created_at'])
    .where('user_id', '=', userId)
    .where('idempotency_key', '=', idempotencyKey)
    .executeTakeFirst();
}

export async function hasOpenPayout(db: Db, userId: string): Promise<boolean> {
  return exists(
    db
      .selectFrom('transfer_requests')
      .select('id')
      .where('user_id', '=', userId)
      .where('state', '=', 'requested'),
  );
}

/** A member's requests, newest first. An open one counts as the newest, even within the same millisecond. */
export function selectMemberPayouts(
  db: Db,
  userId: string,
  { limit, offset = 0 }: { readonly limit: number; readonly offset?: number },
) {
  return db
    .selectFrom('transfer_requests')
    .select(['id', 'amount', 'state', 'created_at', 'decided_at', 'reason'])
    .where('user_id', '=', userId)
    .orderBy('created_at', 'desc')
    .orderBy((eb) => eb.case().when('state', '=', 'requested').then(0).else(1).end())
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}
export type MemberPayout = Awaited<ReturnType<typeof selectMemberPayouts>>[number];

export async function insertPayout(db: Db, request: Insertable<PayoutRequestsTable>): Promise<void> {
  await db.insertInto('transfer_requests').values(request).execute();
}

export interface Decision {
  readonly state: 'paid' | 'refused';
  readonly decided_at: number;
  readonly decided_by: string;
  readonly reason: string;
}

/** Decides an open request. Of concurrent calls, one gets it and the others undefined. */
export function decidePayout(db: Db, requestId: string, decision: Decision) {
  return db
    .updateTable('transfer_requests')
    .set(decision)
    .where('id', '=', requestId)
    .where('state', '=', 'requested')
    .returning(['id', 'user_id', 'amount'])
    .executeTakeFirst();
}

export async function findPayoutState(db: Db, requestId: string): Promise<State | undefined> {
  const row = await db
    .selectFrom('transfer_requests')
    .select('state')
    .where('id', '=', requestId)
    .executeTakeFirst();
  return row?.state;
}

/** The given requests that wait, locked until the transaction ends: none of them is decided meanwhile. */
export async function lockWaiting(db: Db, ids: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('transfer_requests')
    .select('id')
    .where('id', 'in', ids)
    .where('state', '=', 'requested')
    .orderBy('id')
    .forNoKeyUpdate()
    .execute();
  return rows.map(({ id }) => id);
}

/** Requests that were decided, the latest decision first, with who decided. */
export function selectDecidedPayouts(
  db: Db,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  return db
    .selectFrom('transfer_requests')
    .innerJoin('users', 'users.id', 'transfer_requests.user_id')
    .leftJoin('users as staff', 'staff.id', 'transfer_requests.decided_by')
    .select(['transfer_requests.id', 'transfer_requests.amount', 'transfer_requests.state'])
    .select(['transfer_requests.created_at', 'transfer_requests.decided_at', 'transfer_requests.reason'])
    .select(['users.id as member_id', 'users.username', 'staff.username as decided_by'])
    .where('transfer_requests.decided_at', 'is not', null)
    .$narrowType<{ state: 'paid' | 'refused'; decided_at: number }>()
    .orderBy('transfer_requests.decided_at', 'desc')
    .orderBy('transfer_requests.id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** Requests in a state with the details that a bank needs, oldest first. */
export function selectPayouts(db: Db, state: State, limit: number) {
  return db
    .selectFrom('transfer_requests')
    .innerJoin('users', 'users.id', 'transfer_requests.user_id')
    .select(['transfer_requests.id', 'transfer_requests.amount', 'transfer_requests.state'])
    .select(['transfer_requests.created_at', 'transfer_requests.decided_at', 'transfer_requests.reason'])
    .select(['users.id as user_id', 'users.username', 'users.email', 'users.name', 'users.furigana'])
    .select(['users.bank_name', 'users.branch_name', 'users.deposit_type', 'users.account_number'])
    .select(['users.payout_held_until', 'users.is_blocked', 'users.phone_number'])
    .where('transfer_requests.state', '=', state)
    .orderBy('transfer_requests.created_at')
    .orderBy('transfer_requests.id')
    .limit(limit)
    .execute();
}
