import { createHash } from 'node:crypto';
import type { Kysely } from 'kysely';
import { REVIEWED_FIELDS, listMissing } from '../../../../contract/profile-fields.ts';
import type { PayoutField } from '../../../../contract/profile-fields.ts';
import type { Schema } from '../../../platform/database/database.ts';
import { Problem, notFound } from '../../../platform/http/http.ts';
import type { Platform } from '../../../platform/http/http.ts';
import type { OpeningKeys } from '../../../platform/crypto/crypto.ts';
import { queueMail } from '../../mail/mail.ts';
import { recordAction, requireStaff, toReason } from '../../staff/staff.ts';
import { openImage } from './images.ts';
import { destroyLeftover } from './leftovers.ts';
import { toConfirmedMail, toRejectedMail } from './mails.ts';
import { findApplicant, lockApplicant, updateStanding } from './queries.ts';
import type { Applicant } from './queries.ts';
import {
  findSubmission,
  hasViewed,
  insertView,
  lockSubmission,
  markDecided,
  markOpened,
  selectPending,
} from './submission-queries.ts';
import { UnfitPersonalInfo } from './unfit.ts';

export type ReviewDeps = Pick<Platform, 'database' | 'storage' | 'clock' | 'logger' | 'siteUrl' | 'siteName'>;

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
  deps: ReviewDeps & { readonly openingKeys: OpeningKeys },
  submissionId: string,
  staffId: string,
  reason: string,
): Promise<ViewedPersonalInfo> {
  const { db } = deps.database;
  const note = toReason(reason);
  await requireStaff(db, staffId);
  const { user_id: userId } = checkPending(await findSubmission(db, submissionId));
  const details = await findApplicant(db, userId);
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
  deps: ReviewDeps,
  submissionId: string,
  staffId: string,
  decision: Decision,
  reason = '',
): Promise<void> {
  const { database, clock } = deps;
  const told = decision === 'rejected' ? toReason(reason) : '';
  const nowMs = clock.now();
  await database.db.transaction().execute(async (transaction) => {
    await requireStaff(transaction, staffId);
    const { user_id } = checkPending(await lockSubmission(transaction, submissionId));
    const member = await lockApplicant(transaction, user_id);
    if (member === undefined) throw notFound();
    if (decision === 'confirmed') await requireFit(transaction, submissionId, staffId, member);
    const row = { state: decision, decided_at: nowMs, decided_by: staffId, reason: told };
    await markDecided(transaction, submissionId, row);
    await updateStanding(transaction, user_id, decision);
    const action = `${decision === 'confirmed' ? 'approve' : 'reject'} personal info`;
    await recordAction(transaction, { staffId, action, subject: submissionId, note: told }, nowMs);
    const mail =
      decision === 'confirmed' ? toConfirmedMail(deps, member) : toRejectedMail(deps, member, told);
    await queueMail(transaction, mail, nowMs);
  });
  await destroyLeftover(deps, submissionId);
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

function checkPending<Submission extends { readonly state: string }>(
  submission: Submission | undefined,
): Submission {
  if (submission === undefined) throw notFound();
  if (submission.state !== 'pending') throw new Problem(409, 'この本人確認書類は審査待ちではありません。');
  return submission;
}
