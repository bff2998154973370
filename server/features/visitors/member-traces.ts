import type { Context } from 'hono';
import { DAY_MS, HOUR_MS } from '../../../contract/values/time-units.ts';
import { deleteOlder } from '../../platform/database/statements/delete-older.ts';
import type { ApiEnv, Platform } from '../../platform/http/context.ts';
import { hashAddress } from './addresses.ts';
import type { AddressHashes } from './addresses.ts';
import { findVisitor } from './visitor-cookie.ts';
import type { Db } from './tables.ts';

/** The browser and network of a call; `memberId` is null without a log-in. */
interface MemberCall {
  readonly memberId: string | null;
  readonly visitor: string;
  readonly address: AddressHashes;
}

/** The subjects of a browser and a network in the tables. */
export const toVisitorSubject = (visitor: string) => `visitor:${visitor}`;
export const toNetworkSubject = ({ network }: Pick<AddressHashes, 'network'>) => `network:${network}`;

/**
 * Records that a member used this browser and network; for calls that log in, or stay logged in. Never rejects, so that
 * a failed write does not prevent a log-in.
 */
export async function recordMemberCall(
  deps: Pick<Platform, 'database' | 'clock' | 'siteUrl' | 'logger'>,
  context: Context<ApiEnv>,
  memberId: string,
  address: string,
): Promise<void> {
  const visitor = findVisitor(context, deps.siteUrl);
  try {
    const nowMs = deps.clock.now();
    const hashes = await hashAddress(deps.database, address, nowMs);
    await recordMember(deps.database.db, { memberId, visitor, address: hashes }, nowMs);
  } catch (error) {
    deps.logger.warn({ err: error }, 'failed to record the browser and network of a member');
  }
}

/** Same as `recordMemberCall`, for a download; one without a log-in leaves no trace. */
export async function recordMember(
  db: Db,
  { memberId, visitor, address }: MemberCall,
  nowMs: number,
): Promise<void> {
  if (memberId === null) return;
  const subjects = [toNetworkSubject(address), ...(visitor === '' ? [] : [toVisitorSubject(visitor)])];
  const today = await db
    .selectFrom('member_traces')
    .select('subject')
    .where('user_id', '=', memberId)
    .where('subject', 'in', subjects)
    .where('seen_at', '>=', nowMs - HOUR_MS)
    .execute();
  const recorded = new Set(today.map(({ subject }) => subject));
  const rows = subjects
    .filter((subject) => !recorded.has(subject))
    .map((subject) => ({ subject, user_id: memberId, seen_at: nowMs }));
  if (rows.length === 0) return;
  await db
    .insertInto('member_traces')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['subject', 'user_id']).doUpdateSet({ seen_at: nowMs }))
    .execute();
}

export async function deleteTraces(db: Db, memberId: string): Promise<void> {
  await db.deleteFrom('member_traces').where('user_id', '=', memberId).execute();
}

/** Deletes networks, whose hashes are meaningless after two days, and browsers not seen since `sinceMs`. */
export async function deleteOldTraces(db: Db, nowMs: number, sinceMs: number): Promise<void> {
  const traces = { table: 'member_traces', key: ['subject', 'user_id'] } as const;
  await deleteOlder(db, { ...traces, when: ['seen_at', '<', sinceMs] });
  await deleteOlder(db, {
    ...traces,
    when: ['seen_at', '<', nowMs - 2 * DAY_MS],
    also: (where) => where('subject', 'like', 'network:%'),
  });
}
