import type { Handle } from '../../platform/database/handle.ts';
import { updateMemberRow } from '../accounts/queries.ts';
import { queueMail } from '../mail/service.ts';
import { findLastTimes } from '../staff/actions.ts';
import { UNDO_REASON } from '../undo/undoable.ts';
import type { UndoLink, Undoable } from '../undo/undoable.ts';
import { toInFileMail } from './mails.ts';
import { toPayoutHold } from './payout-hold.ts';
import { findPayee, lockWaiting, selectMemberPayouts } from './queries.ts';
import { MAKE_BANK_FILE, bookDecision } from './payout-decisions.ts';

const LABEL = '送金の依頼';

/**
 * An undecided payout request, whose yen return. One that is in a file for the bank stays, because it may be paid
 * already: payouts are held, and the operator hears of it.
 */
export const PAYOUT_UNDO: Undoable = {
  stage: 'payouts',
  async find(db, link) {
    const request = await findOpen(db, link);
    const isUndoable = request !== undefined && !(await wasInFile(db, request.id));
    return { changes: isUndoable ? [LABEL] : [] };
  },
  async undo(transaction, { deps, link, nowMs }) {
    const { user_id: userId } = link;
    const request = await findOpen(transaction, link);
    if (request === undefined || (await lockWaiting(transaction, [request.id])).length === 0)
      return undefined;
    if (!(await wasInFile(transaction, request.id))) {
      const decision = { state: 'refused', decided_at: nowMs, decided_by: userId } as const;
      await bookDecision(transaction, request.id, { ...decision, reason: UNDO_REASON });
      return { changes: [LABEL] };
    }
    await updateMemberRow(transaction, userId, { payout_held_until: toPayoutHold(nowMs) });
    const username = (await findPayee(transaction, userId))?.username ?? '';
    await queueMail(transaction, toInFileMail(deps, username, request.amount), nowMs);
    return undefined;
  },
};

async function findOpen(db: Handle, { user_id, created_at }: UndoLink) {
  const [newest] = await selectMemberPayouts(db, user_id, { limit: 1 });
  return newest?.state === 'requested' && newest.created_at >= created_at ? newest : undefined;
}

async function wasInFile(db: Handle, requestId: string): Promise<boolean> {
  return (await findLastTimes(db, MAKE_BANK_FILE, [requestId])).has(requestId);
}
