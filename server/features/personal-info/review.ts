import type { Kysely } from 'kysely';
import type { Schema } from '../../database/schema.ts';
import type { ApiDeps } from '../../http/context.ts';
import { Problem, notFound } from '../../http/problem.ts';
import { queueMail } from '../mail/service.ts';
import { recordAction, requireStaff } from '../staff/actions.ts';
import { toReason } from '../staff/reasons.ts';
import { openImage } from './images.ts';
import { destroyLeftover } from './leftovers.ts';
import { toConfirmedMail, toRejectedMail } from './mails.ts';
import { lockApplicant, updateStanding } from './queries.ts';
import {
  findSubmission,
  insertView,
  lockSubmission,
  markDecided,
  selectPending,
} from './submission-queries.ts';

export type ReviewDeps = Pick<
  ApiDeps,
  'database' | 'storage' | 'personalInfoKeys' | 'clock' | 'logger' | 'siteUrl' | 'siteName'
>;

export type Decision = 'confirmed' | 'rejected';

export interface PendingPersonalInfo {
  readonly id: string;
  readonly userId: string;
  readonly username: string;
  readonly name: string;
  readonly furigana: string;
  /** Epoch ms. */
  readonly submittedAt: number;
}

/** IDs that wait to be looked at, the oldest first. */
export async function listPendingPersonalInfo(db: Kysely<Schema>): Promise<PendingPersonalInfo[]> {
  const rows = await selectPending(db);
  return rows.map(({ user_id, submitted_at, ...rest }) => ({
    ...rest,
    userId: user_id,
    submittedAt: submitted_at,
  }));
}

/**
 * The image of an ID that waits, as a JPEG. That this member of the staff looked at it is on record
 * before it is read. Throws `Problem`: 403 for who is no staff, 404, and 409 once it is decided.
 */
export async function viewPersonalInfo(
  deps: ReviewDeps,
  submissionId: string,
  staffId: string,
): Promise<Buffer> {
  const { db } = deps.database;
  await requireStaff(db, staffId);
  const submission = checkPending(await findSubmission(db, submissionId));
  await insertView(db, { submission_id: submissionId, staff_id: staffId, viewed_at: deps.clock.now() });
  return openImage(deps, { submissionId, userId: submission.user_id });
}

/**
 * Decides on an ID, tells the member by mail, and destroys the image. `reason` is what the member
 * reads when it is rejected. Throws `Problem`: 400 for a rejection without one, 403, 404, and 409 for
 * whoever comes second.
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
    const { user_id } = checkPending(await lockSubmission(transaction, database.dialect, submissionId));
    const member = await lockApplicant(transaction, database.dialect, user_id);
    if (member === undefined) throw notFound();
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

function checkPending<Submission extends { readonly state: string }>(
  submission: Submission | undefined,
): Submission {
  if (submission === undefined) throw notFound();
  if (submission.state !== 'pending') throw new Problem(409, 'この本人確認書類は審査待ちではありません。');
  return submission;
}
