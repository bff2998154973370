import { createHash } from 'node:crypto';
import { REVIEWED_FIELDS, listMissing, toLabels } from '../../../../contract/accounts/profile-fields.ts';
import { Problem, notFound } from '../../../platform/http/problem.ts';
import type { OpeningKeys } from '../../../platform/crypto/sealed-keys.ts';
import { recordAction, requireStaff } from '../../staff/actions.ts';
import { toReason } from '../../staff/reasons.ts';
import type { RecordedAction } from '../../staff/actions.ts';
import {
  decideSubmission,
  destroyFiles,
  listDecisions,
  requirePending,
  selectSubmission,
} from '../life-cycle.ts';
import type { LifeCycleDeps } from '../life-cycle.ts';
import { openImage, readSealedImage, toContext } from './images.ts';
import type { SealedImage } from './images.ts';
import { PERSONAL_INFO, updateReviewStatus } from './kind.ts';
import type { Applicant } from './kind.ts';
import { toConfirmedMail, toRejectedMail } from './mails.ts';
import { recordDetails } from './verified-details.ts';
import { findSubmission, hasViewed, insertView, markOpened, selectPending } from './submission-queries.ts';
import type { Handle } from '../../../platform/database/handle.ts';

/** The reason of views in the console, where IDs are shown only to decide on them. */
const CONSOLE_REASON = '管理画面での審査';

export type Decision = 'approved' | 'rejected';

export interface PendingPersonalInfo {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  /** Epoch ms. */
  readonly submittedAt: number;
}

/** The image of an ID, a JPEG, and the details to compare it with. */
export interface ViewedPersonalInfo {
  readonly image: Buffer;
  readonly details: Pick<Applicant, 'username' | (typeof REVIEWED_FIELDS)[number]>;
}

/** IDs that are waiting for review, oldest first; the first `limit`. */
export async function listPendingPersonalInfo(db: Handle, limit?: number): Promise<PendingPersonalInfo[]> {
  const rows = await selectPending(db, limit);
  return rows.map(({ id, user_id: userId, username, submitted_at: submittedAt }) => ({
    id,
    userId,
    username,
    submittedAt,
  }));
}

/**
 * The image of a waiting ID with the details to compare it with. Records that this staff member viewed both, and why,
 * before the image is opened. Throws `Problem`: 400 without a reason, 403 for a caller who is not staff, 404, and 409
 * once it is decided; and `UnopenableSealError` when the private key is not among `openingKeys`.
 */
export async function viewPersonalInfo(
  deps: LifeCycleDeps & { readonly openingKeys: OpeningKeys },
  submissionId: string,
  staffId: string,
  reason: string,
): Promise<ViewedPersonalInfo> {
  const { view, userId, details } = await recordView(deps, submissionId, staffId, reason);
  const image = await openImage(deps, { submissionId, userId });
  await markOpened(deps.database.db, { ...view, details_hash: hashDetails(details) });
  return { image, details };
}

/**
 * The sealed image of a waiting ID, for staff who open it with a private key that this process does not have. Records
 * the view first. Whether it could be opened is reported with `confirmView`. Throws `Problem` 403, 404, 409, and
 * `MissingObjectError`.
 */
export async function handOverPersonalInfo(
  deps: LifeCycleDeps,
  submissionId: string,
  staffId: string,
): Promise<SealedImage & { readonly context: string; readonly viewedAt: number }> {
  const { view, userId } = await recordView(deps, submissionId, staffId, CONSOLE_REASON);
  const sealed = await readSealedImage(deps, submissionId);
  return { ...sealed, context: toContext({ submissionId, userId }), viewedAt: view.viewed_at };
}

/**
 * Records that staff opened the image of a view by `handOverPersonalInfo`, and saw it beside the details with this hash
 * (`getPersonalInfo`). Without such a view it has no effect.
 */
export async function confirmView(
  { database }: Pick<LifeCycleDeps, 'database'>,
  submissionId: string,
  staffId: string,
  { viewedAt, detailsHash }: { readonly viewedAt: number; readonly detailsHash: string },
): Promise<void> {
  await markOpened(database.db, {
    submission_id: submissionId,
    staff_id: staffId,
    viewed_at: viewedAt,
    details_hash: detailsHash,
  });
}

/** One ID, decided or not, with the details to compare and the earlier decisions on its member. Throws `Problem` 404. */
export async function getPersonalInfo(db: Handle, submissionId: string) {
  const submission = await findSubmission(db, submissionId);
  if (submission === undefined) throw notFound();
  const [details, history] = await Promise.all([
    PERSONAL_INFO.selectMember(db, submission.user_id).executeTakeFirst(),
    listDecisions(db, PERSONAL_INFO, submission.user_id, submissionId),
  ]);
  if (details === undefined) throw notFound();
  const missing = listMissing(details, { needsFurigana: true });
  return { ...submission, details, detailsHash: hashDetails(details), missing, history };
}

/** Throws `Problem`: 400 without a reason, 403, 404, and 409 once it is decided. */
async function recordView(
  { database: { db }, clock }: Pick<LifeCycleDeps, 'database' | 'clock'>,
  submissionId: string,
  staffId: string,
  reason: string,
) {
  const note = toReason(reason);
  await requireStaff(db, staffId);
  const submission = await selectSubmission(db, PERSONAL_INFO, submissionId).executeTakeFirst();
  const { user_id: userId } = requirePending(PERSONAL_INFO, submission);
  const details = await PERSONAL_INFO.selectMember(db, userId).executeTakeFirst();
  if (details === undefined) throw notFound();
  const nowMs = clock.now();
  const view = { submission_id: submissionId, staff_id: staffId, viewed_at: nowMs };
  await db.transaction().execute(async (transaction: Handle) => {
    await insertView(transaction, view);
    const action: RecordedAction = { staffId, action: 'view personal info', subject: submissionId, note };
    await recordAction(transaction, action, nowMs);
  });
  return { view, userId, details };
}

/**
 * Decides on an ID, notifies the member by mail, and destroys the image. The member reads `reason` after a rejection.
 * Throws `Problem`: 400 for a rejection without one, 403, 404, 409 for a second decision, and for an approval while
 * fields are empty, or by staff who has not viewed the image beside the current details. Without the secret, a server
 * records the details of an approved member.
 */
export async function decidePersonalInfo(
  deps: LifeCycleDeps & { readonly sessionSecret?: Uint8Array | undefined },
  submissionId: string,
  staffId: string,
  decision: Decision,
  reason = '',
): Promise<void> {
  const isApproved = decision === 'approved';
  const rejectionReason = isApproved ? '' : toReason(reason);
  const verdict = { verdict: isApproved ? 'approve' : 'reject', staffId, reason: rejectionReason } as const;
  await decideSubmission(deps, PERSONAL_INFO, submissionId, verdict, async (transaction, member) => {
    if (isApproved) await requireFit(transaction, submissionId, staffId, member);
    await updateReviewStatus(transaction, member.id, isApproved ? 'confirmed' : 'rejected');
    if (isApproved && deps.sessionSecret) await recordDetails(transaction, deps.sessionSecret, member);
    return isApproved ? toConfirmedMail(deps, member) : toRejectedMail(deps, member, rejectionReason);
  });
  await destroyFiles(deps, PERSONAL_INFO, submissionId);
}

async function requireFit(
  db: Handle,
  submissionId: string,
  staffId: string,
  member: Applicant,
): Promise<void> {
  const missing = listMissing(member, { needsFurigana: true });
  const view = { submission_id: submissionId, staff_id: staffId, details_hash: hashDetails(member) };
  if (missing.length > 0) {
    throw new Problem(409, `未入力の項目があるため、承認できません：${toLabels(missing)}`);
  }
  if (!(await hasViewed(db, view))) {
    throw new Problem(409, '現在の登録内容と画像を見比べてから、承認してください。');
  }
}

/** Members can fill in an empty field even during a review, so a view only counts for the details it showed. */
function hashDetails(member: Applicant): string {
  const details = REVIEWED_FIELDS.map((field) => member[field]);
  return createHash('sha256').update(JSON.stringify(details)).digest('hex');
}
