import { DAY_MS } from '../../../../contract/values/time-units.ts';
import { decideSubmission, destroyFiles } from '../life-cycle.ts';
import type { LifeCycleDeps } from '../life-cycle.ts';
import { PERSONAL_INFO, updateReviewStatus } from './kind.ts';
import { REVIEW_DAYS_MAX, toExpiredMail } from './mails.ts';
import { selectPending } from './submission-queries.ts';

const REVIEW_MS_MAX = REVIEW_DAYS_MAX * DAY_MS;
const REASON = `${REVIEW_DAYS_MAX}日以内に審査が終わらなかったため、画像を削除しました。お手数ですが、もう一度提出してください。`;

/**
 * Destroys images of IDs that were not decided in time and asks the members by mail to submit them again. The status
 * becomes `rejected`, which allows a new submission (spec §4) and shows the reason on the profile.
 */
export async function expirePersonalInfo(deps: LifeCycleDeps): Promise<void> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  for (const { id, submitted_at } of await selectPending(database.db)) {
    if (submitted_at + REVIEW_MS_MAX > nowMs) continue;
    const verdict = { verdict: 'expire', staffId: null, reason: REASON } as const;
    await decideSubmission(deps, PERSONAL_INFO, id, verdict, async (transaction, member) => {
      await updateReviewStatus(transaction, member.id, 'rejected');
      return toExpiredMail(deps, member);
    });
    await destroyFiles(deps, PERSONAL_INFO, id);
  }
}
