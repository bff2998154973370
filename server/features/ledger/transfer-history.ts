import { TRANSFERS_PAGE_MAX, TRANSFERS_PAGE_SIZE } from '../../../contract/finance.ts';
import type { Transfer } from '../../../contract/finance.ts';
import { selectMemberRequests } from './queries.ts';
import type { MemberRequest } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

/** A page of a member's own payout requests, newest first; `next` is null on the last one. */
export async function listMemberTransfers(
  db: Handle,
  userId: string,
  page = 1,
): Promise<{ results: Transfer[]; next: number | null }> {
  const offset = (page - 1) * TRANSFERS_PAGE_SIZE;
  const rows = await selectMemberRequests(db, userId, { limit: TRANSFERS_PAGE_SIZE + 1, offset });
  const hasMore = rows.length > TRANSFERS_PAGE_SIZE && page < TRANSFERS_PAGE_MAX;
  return { results: rows.slice(0, TRANSFERS_PAGE_SIZE).map(toTransfer), next: hasMore ? page + 1 : null };
}

/** A request as its member may see it, without the staff member who decided it. */
export function toTransfer({ id, amount, state, created_at, decided_at, reason }: MemberRequest): Transfer {
  return {
    id,
    amount,
    state,
    requested_at: new Date(created_at).toISOString(),
    ...(decided_at === null ? {} : { decided_at: new Date(decided_at).toISOString() }),
    ...(state === 'refused' && reason !== '' ? { reason } : {}),
  };
}
