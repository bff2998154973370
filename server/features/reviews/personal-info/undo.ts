import { lockPasswordHash } from '../../accounts/queries.ts';
import { UNDO_REASON } from '../../undo/undoable.ts';
import type { AfterCommit, Undoable } from '../../undo/undoable.ts';
import { destroyFiles } from '../life-cycle.ts';
import { PERSONAL_INFO, updateReviewStatus } from './kind.ts';
import { findSubmissionSince, withdrawSince } from './submission-queries.ts';

const LABEL = '本人確認書類の提出';

/** An ID that was sent, approved or not. What the staff is reviewing of a blocked member does not change. */
export const PERSONAL_INFO_UNDO: Undoable = {
  stage: 'submissions',
  async find(db, { user_id, created_at }) {
    const submission = await findSubmissionSince(db, user_id, created_at);
    return { changes: submission === undefined ? [] : [LABEL] };
  },
  async undo(transaction, { link, nowMs }) {
    const { user_id: userId, created_at: sinceMs } = link;
    const ids = await withdrawSince(transaction, userId, sinceMs, { nowMs, reason: UNDO_REASON });
    if (ids.length === 0) return undefined;
    // As strongly as the undo does next: a weaker lock would have to be raised, which can end in a deadlock.
    await lockPasswordHash(transaction, userId);
    await updateReviewStatus(transaction, userId, 'rejected');
    const destroyImages: AfterCommit = async (deps) => {
      for (const id of ids) await destroyFiles(deps, PERSONAL_INFO, id);
    };
    return { changes: [LABEL], afterCommit: [destroyImages] };
  },
};
