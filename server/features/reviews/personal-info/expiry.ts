import { queueMail } from '../../mail/mail.ts';
import { recordAction } from '../../staff/staff.ts';
import type { ReviewDeps } from './review.ts';
import { destroyLeftover } from './leftovers.ts';
import { REVIEW_DAYS_MAX, toExpiredMail } from './mails.ts';
import { lockApplicant, updateStanding } from './queries.ts';
import { lockSubmission, markDecided, selectPending } from './submission-queries.ts';

const REVIEW_MS_MAX = REVIEW_DAYS_MAX * 24 * 60 * 60 * 1000;
const REASON = `${REVIEW_DAYS_MAX}日以内に審査が終わらなかったため、画像を削除しました。お手数ですが、もう一度提出してください。`;

/**
 * Destroys images of IDs that were not decided in time and asks the members by mail to submit them again. The status
 * becomes `rejected`, which allows a new submission (spec §4) and shows the reason on the profile.
 */
export async function expirePersonalInfo(deps: ReviewDeps): Promise<void> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  for (const { id, submitted_at } of await selectPending(database.db)) {
    if (submitted_at + REVIEW_MS_MAX > nowMs) continue;
    await database.db.transaction().execute(async (transaction) => {
      const submission = await lockSubmission(transaction, id);
      if (submission?.state !== 'pending') return;
      const member = await lockApplicant(transaction, submission.user_id);
      if (member === undefined) return;
      const row = { state: 'rejected', decided_at: nowMs, decided_by: null, reason: REASON } as const;
      await markDecided(transaction, id, row);
      await updateStanding(transaction, member.id, 'rejected');
      await recordAction(transaction, { staffId: null, action: 'expire personal info', subject: id }, nowMs);
      await queueMail(transaction, toExpiredMail(deps, member), nowMs);
    });
    await destroyLeftover(deps, id);
  }
}
