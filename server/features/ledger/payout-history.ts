import { OWN_PAYOUTS_PAGE_MAX, OWN_PAYOUTS_PAGE_SIZE } from '../../../contract/payouts/payouts.ts';
import type { OwnPayout } from '../../../contract/payouts/payouts.ts';
import { selectMemberPayouts } from './queries.ts';
import type { MemberPayout } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

/** A page of a member's own payout requests, newest first; `next` is null on the last one. */
export async function listOwnPayouts(
  db: Handle,
  userId: string,
  page = 1,
): Promise<{ results: OwnPayout[]; next: number | null }> {
  const offset = (page - 1) * OWN_PAYOUTS_PAGE_SIZE;
  const rows = await selectMemberPayouts(db, userId, { limit: OWN_PAYOUTS_PAGE_SIZE + 1, offset });
  const hasMore = rows.length > OWN_PAYOUTS_PAGE_SIZE && page < OWN_PAYOUTS_PAGE_MAX;
  return { results: rows.slice(0, OWN_PAYOUTS_PAGE_SIZE).map(toOwnPayout), next: hasMore ? page + 1 : null };
}

/** A request as its member may see it, without the staff member who decided it. */
export function toOwnPayout({ id, amount, state, created_at, decided_at, reason }: MemberPayout): OwnPayout {
  return {
    id,
    amount,
    state,
    requested_at: new Date(created_at).toISOString(),
    ...(decided_at === null ? {} : { decided_at: new Date(decided_at).toISOString() }),
    ...(state === 'refused' && reason !== '' ? { reason } : {}),
  };
}
