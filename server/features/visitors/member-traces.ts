import type { Context } from 'hono';
import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/database/database.ts';
import type { ApiEnv, Platform } from '../../platform/http/http.ts';
import { hashAddress } from './addresses.ts';
import type { AddressHashes } from './addresses.ts';
import { findVisitor } from './visitor-cookie.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

/** A browser and a network that a call came from; `memberId` is null without a log-in. */
interface MemberCall {
  readonly memberId: string | null;
  readonly visitor: string;
  readonly address: AddressHashes;
}

/** How the tables name a browser and a network. */
export const toVisitorSubject = (visitor: string) => `visitor:${visitor}`;
export const toNetworkSubject = ({ network }: Pick<AddressHashes, 'network'>) => `network:${network}`;

/**
 * Remembers that a member came by this browser and network; for calls that log in, or keep logged in. Never
 * rejects: nobody is kept out because a trace could not be written.
 */
export async function noteMemberCall(
  deps: Pick<Platform, 'database' | 'clock' | 'siteUrl' | 'logger'>,
  context: Context<ApiEnv>,
  memberId: string,
  address: string,
): Promise<void> {
  const visitor = findVisitor(context, deps.siteUrl);
  try {
    const nowMs = deps.clock.now();
    const hashes = await hashAddress(deps.database, address, nowMs);
    await noteMember(deps.database.db, { memberId, visitor, address: hashes }, nowMs);
  } catch (error) {
    deps.logger.warn({ err: error }, 'where a member logged in could not be noted');
  }
}

/** The same for a download; one by nobody leaves no trace. */
export async function noteMember(
  db: Kysely<Schema>,
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
  const known = new Set(today.map(({ subject }) => subject));
  const rows = subjects
    .filter((subject) => !known.has(subject))
    .map((subject) => ({ subject, user_id: memberId, seen_at: nowMs }));
  if (rows.length === 0) return;
  await db
    .insertInto('member_traces')
    .values(rows)
    .onConflict((conflict) => conflict.columns(['subject', 'user_id']).doUpdateSet({ seen_at: nowMs }))
    .execute();
}

/** Forgets networks, whose hashes mean nothing two days after, and browsers not seen since `sinceMs`. */
export async function forgetTraces(db: Kysely<Schema>, nowMs: number, sinceMs: number): Promise<void> {
  await db
    .deleteFrom('member_traces')
    .where((where) =>
      where.or([
        where('seen_at', '<', sinceMs),
        where.and([where('seen_at', '<', nowMs - 2 * DAY_MS), where('subject', 'like', 'network:%')]),
      ]),
    )
    .execute();
}
