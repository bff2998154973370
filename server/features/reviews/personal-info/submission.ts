import { randomId } from '../../../platform/database/statements/random-id.ts';
import type { Caller } from '../../../platform/http/context.ts';
import type { FormFile } from '../../../platform/http/form.ts';
import { toPersonalInfoImageKey } from '../../../media/object-keys.ts';
import { encodePhotograph } from '../../../media/pictures/pictures.ts';
import { addUndoLink } from '../../accounts/undo-links.ts';
import { requireSession } from '../../accounts/sessions.ts';
import { queueMail } from '../../mail/service.ts';
import { completeSubmission } from '../life-cycle.ts';
import type { LifeCycleDeps } from '../life-cycle.ts';
import type { ReviewsOptions } from '../options.ts';
import { storeImage } from './images.ts';
import { PERSONAL_INFO, updateReviewStatus } from './kind.ts';
import { toReceivedMail, toWaitingMail } from './mails.ts';
import { insertIncoming } from './submission-queries.ts';

export type SubmissionDeps = LifeCycleDeps & Pick<ReviewsOptions, 'operatorEmail' | 'personalInfoKey'>;

/**
 * Stores a sealed photograph of a member's ID for review by the staff, and notifies both by mail. Of concurrent
 * submissions only one counts. `device`: see `describeDevice`. Throws `Problem`, 401 when the session has ended
 * meanwhile; `UnusablePictureError` and `Busy`. See `completeSubmission`.
 */
export async function submitPersonalInfo(
  deps: SubmissionDeps,
  caller: Pick<Caller, 'id' | 'sessionId'>,
  file: Pick<FormFile, 'read'>,
  device: string,
): Promise<void> {
  const { database, clock, operatorEmail } = deps;
  const { id: userId } = caller;
  const image = await encodePhotograph(file, userId);
  const submissionId = randomId();
  await insertIncoming(database.db, {
    id: submissionId,
    user_id: userId,
    object_key: toPersonalInfoImageKey(submissionId),
    submitted_at: clock.now(),
  });
  await completeSubmission(
    deps,
    PERSONAL_INFO,
    { id: submissionId, userId },
    () => storeImage(deps, { submissionId, userId }, image),
    async (transaction, applicant, nowMs) => {
      await requireSession(transaction, caller, nowMs);
      await updateReviewStatus(transaction, userId, 'pending');
      const undo = await addUndoLink(transaction, deps, userId, {}, { nowMs, device });
      await queueMail(transaction, toReceivedMail(deps, applicant, undo), nowMs, { priority: 'account' });
      await queueMail(transaction, toWaitingMail(deps, operatorEmail, submissionId), nowMs);
    },
  );
}
