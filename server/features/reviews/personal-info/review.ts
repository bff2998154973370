import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { REVIEWED_FIELDS, listMissing } from '../../../../contract/profile-fields.ts';
import type { PayoutField } from '../../../../contract/profile-fields.ts';
import type { Schema } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/http/http.ts';
import type { OpeningKeys } from '../../../platform/crypto/crypto.ts';
import { recordAction, requireStaff, toReason } from '../../staff/staff.ts';
import { decideSubmission, destroyFiles, requirePending, selectSubmission } from '../life-cycle.ts';
import type { LifeCycleDeps } from '../life-cycle.ts';
import { openImage } from './images.ts';
import { PERSONAL_INFO, updateStanding } from './kind.ts';
import type { Applicant } from './kind.ts';
import { toConfirmedMail, toRejectedMail } from './mails.ts';
import { hasViewed, insertView, markOpened, selectPending } from './submission-queries.ts';
import { UnfitPersonalInfo } from './unfit.ts';

export type Decision = 'confirmed' | 'rejected';

export interface PendingPersonalInfo {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  readonly furigana: string;
  /** Empty fields, which the member has to fill in before an approval. */
  readonly missing: readonly PayoutField[];
  /** Epoch ms. */
  readonly submittedAt: number;
}

/** The image of an ID, a JPEG, and the details to compare it with. */
export interface ViewedPersonalInfo {
  readonly image: Buffer;
  readonly details: Pick<Applicant, 'username' | (typeof REVIEWED_FIELDS)[number]>;
}

/** IDs that are waiting for review, oldest first. */
export async function listPendingPersonalInfo(db: Kysely<Schema>): Promise<PendingPersonalInfo[]> {
  const rows = await selectPending(db);
  return rows.map(({ id, user_id, submitted_at, username, ...fields }) => ({
    id,
    userId: user_id,
    username,
    name: fields.name,
    furigana: fields.furigana,
    missing: listMissing(fields, { needsFurigana: true }),
    submittedAt: submitted_at,
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
  const { db } = deps.database;
  const note = toReason(reason);
  await requireStaff(db, staffId);
  const submission = await selectSubmission(db, PERSONAL_INFO, submissionId).executeTakeFirst();
  const { user_id: userId } = requirePending(PERSONAL_INFO, submission);
  const details = await PERSONAL_INFO.selectMember(db, userId).executeTakeFirst();
  if (details === undefined) throw notFound();
  const nowMs = deps.clock.now();
  const view = { submission_id: submissionId, staff_id: staffId, viewed_at: nowMs };
  await db.transaction().execute(async (transaction) => {
    await insertView(transaction, view);
    const action = { staffId, action: 'view personal info', subject: submissionId, note };
    await recordAction(transaction, action, nowMs);
  });
  const image = await openImage(deps, { submissionId, userId });
  await markOpened(db, { ...view, details_hash: hashDetails(details) });
  return { image, details };
}

/**
 * Decides on an ID, notifies the member by mail, and destroys the image. The member reads `reason` after a rejection.
 * Throws `Problem`: 400 for a rejection without one, 403, 404, 409 for a second decision, and `UnfitPersonalInfo` for
 * an approval while fields are empty, or by staff who has not viewed the image beside the current details.
 */
export async function decidePersonalInfo(
  deps: LifeCycleDeps,
  submissionId: string,
  staffId: string,
  decision: Decision,
  reason = '',
): Promise<void> {
  const isConfirmed = decision === 'confirmed';
  const told = isConfirmed ? '' : toReason(reason);
  const verdict = { verdict: isConfirmed ? 'approve' : 'reject', staffId, reason: told } as const;
  await decideSubmission(deps, PERSONAL_INFO, submissionId, verdict, async (transaction, member) => {
    if (isConfirmed) await requireFit(transaction, submissionId, staffId, member);
    await updateStanding(transaction, member.id, decision);
    return isConfirmed ? toConfirmedMail(deps, member) : toRejectedMail(deps, member, told);
  });
  await destroyFiles(deps, PERSONAL_INFO, submissionId);
}

async function requireFit(
  db: Kysely<Schema>,
  submissionId: string,
  staffId: string,
  member: Applicant,
): Promise<void> {
  const missing = listMissing(member, { needsFurigana: true });
  const view = { submission_id: submissionId, staff_id: staffId, details_hash: hashDetails(member) };
  if (missing.length > 0 || !(await hasViewed(db, view))) throw new UnfitPersonalInfo(missing);
}

/** Members can fill in an empty field even during a review, so a view only counts for the details it showed. */
function hashDetails(member: Applicant): string {
  const details = REVIEWED_FIELDS.map((field) => member[field]);
  return createHash('sha256').update(JSON.stringify(details)).digest('hex');
}
