import { listMissing, toIdPrecondition } from '../../../../contract/profile-fields.ts';
import { randomId } from '../../../platform/database/database.ts';
import { Problem, notFound } from '../../../platform/http/http.ts';
import type { Caller, FormFile, Platform } from '../../../platform/http/http.ts';
import { encodePhotograph, pictureSemaphore } from '../../../media/pictures.ts';
import { addUndoLink, requireSession } from '../../accounts/accounts.ts';
import { queueMail } from '../../mail/mail.ts';
import type { ReviewsOptions } from '../options.ts';
import { storeImage, toImageKey } from './images.ts';
import { destroyLeftover } from './leftovers.ts';
import { toReceivedMail, toWaitingMail } from './mails.ts';
import { findApplicant, lockApplicant, updateStanding } from './queries.ts';
import type { Applicant } from './queries.ts';
import { insertIncoming, markPending } from './submission-queries.ts';

export type SubmissionDeps = Pick<
  Platform,
  'database' | 'storage' | 'clock' | 'logger' | 'siteUrl' | 'siteName'
> &
  Pick<ReviewsOptions, 'operatorEmail' | 'personalInfoKey'>;

/** Throws `Problem` for a member who may not send an ID now: 409 by spec §4, 400 by spec §5. */
export async function requireApplicant({ database }: SubmissionDeps, userId: string): Promise<void> {
  checkApplicant(await findApplicant(database.db, userId));
}

/**
 * Stores a sealed photograph of a member's ID for review by the staff, and notifies both by mail. Of concurrent
 * submissions only one counts. `device`: see `describeDevice`. Throws `Problem`, 401 when the session has ended
 * meanwhile; `UnusablePictureError` and `Busy`.
 *
 * The row is created before the image, so that an interruption leaves no unknown image.
 */
export async function submitPersonalInfo(
  deps: SubmissionDeps,
  caller: Pick<Caller, 'id' | 'sessionId'>,
  file: Pick<FormFile, 'read'>,
  device: string,
): Promise<void> {
  const { database, clock } = deps;
  const image = await pictureSemaphore.run(async () => encodePhotograph(await file.read()));
  const submissionId = randomId();
  const submittedAt = clock.now();
  await insertIncoming(database.db, {
    id: submissionId,
    user_id: caller.id,
    object_key: toImageKey(submissionId),
    submitted_at: submittedAt,
  });
  try {
    await storeImage(deps, { submissionId, userId: caller.id }, image);
    await accept(deps, submissionId, caller, device);
  } catch (error) {
    await destroyLeftover(deps, submissionId);
    throw error;
  }
}

async function accept(
  deps: SubmissionDeps,
  submissionId: string,
  caller: Pick<Caller, 'id' | 'sessionId'>,
  device: string,
): Promise<void> {
  const { database, clock, operatorEmail } = deps;
  await database.db.transaction().execute(async (transaction) => {
    const locked = await lockApplicant(transaction, caller.id);
    // Read under the lock, so that an undo link of an earlier change precedes this submission and cancels it.
    const nowMs = clock.now();
    await requireSession(transaction, caller, nowMs);
    const applicant = checkApplicant(locked);
    if (!(await markPending(transaction, submissionId, nowMs)))
      throw new Problem(409, 'もう一度提出してください。');
    await updateStanding(transaction, caller.id, 'pending');
    const undo = await addUndoLink(transaction, deps, caller.id, {}, { nowMs, device });
    await queueMail(transaction, toReceivedMail(deps, applicant, undo), nowMs);
    await queueMail(transaction, toWaitingMail(deps, operatorEmail, submissionId), nowMs);
  });
}

function checkApplicant(applicant: Applicant | undefined): Applicant {
  if (applicant === undefined) throw notFound();
  if (applicant.personal_info_status === 'pending') {
    throw new Problem(409, '本人確認書類は審査中です。結果をお待ちください。');
  }
  if (applicant.personal_info_status === 'confirmed') {
    throw new Problem(409, '本人確認は完了しています。');
  }
  const missing = listMissing(applicant, { needsFurigana: true });
  if (missing.length > 0) throw new Problem(400, toIdPrecondition(missing));
  return applicant;
}
