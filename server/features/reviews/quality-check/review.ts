import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/database/database.ts';
import { Problem, notFound } from '../../../platform/http/http.ts';
import type { Platform } from '../../../platform/http/http.ts';
import { queueMail } from '../../mail/mail.ts';
import { recordAction, requireStaff, toReason } from '../../staff/staff.ts';
import { destroyFiles } from './leftovers.ts';
import { toApprovedMail, toRejectedMail } from './mails.ts';
import { lockApplicant, markDecided, updateApplicant } from './queries.ts';
import {
  countRejections,
  findApplication,
  selectFiles,
  selectPending,
  selectTypes,
} from './review-queries.ts';

export type ReviewDeps = Pick<
  Platform,
  'database' | 'storage' | 'clock' | 'logger' | 'siteUrl' | 'siteName' | 'catalogueChanged'
>;

export interface PendingQualityCheck {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  /** Epoch ms. */
  readonly submittedAt: number;
  readonly files: number;
}

/** Applications that are waiting for review, oldest first. */
export async function listPendingQualityChecks(db: Kysely<Schema>): Promise<PendingQualityCheck[]> {
  const rows = await selectPending(db);
  return rows.map(({ submitted_at, files, ...rest }) => ({
    ...rest,
    submittedAt: submitted_at,
    files: Number(files),
  }));
}

/** One application, decided or not, with the properties of its files. Throws `Problem` 404. */
export async function getQualityCheck(db: Kysely<Schema>, id: string) {
  const application = await findApplication(db, id);
  if (application === undefined) throw notFound();
  const [files, types, rejections] = await Promise.all([
    selectFiles(db, id),
    selectTypes(db, id),
    countRejections(db, application.user_id, id),
  ]);
  return { ...application, files, types: types.map(({ name }) => name), rejections };
}

/** Permits a member to upload sounds; see `decide`. */
export function approveQualityCheck(deps: ReviewDeps, id: string, staffId: string): Promise<void> {
  return decide(deps, id, staffId, 'approved', '');
}

/** Rejects an application; the member reads `reason` and may apply again at once. 400 without one; see `decide`. */
export async function rejectQualityCheck(
  deps: ReviewDeps,
  id: string,
  staffId: string,
  reason: string,
): Promise<void> {
  await decide(deps, id, staffId, 'rejected', toReason(reason));
}

/**
 * Decides on a waiting application, notifies the member by mail, records the decision and destroys the files. Throws
 * `Problem`: 403 for a caller who is not staff, 404, and 409 for a second decision.
 */
async function decide(
  deps: ReviewDeps,
  id: string,
  staffId: string,
  state: 'approved' | 'rejected',
  reason: string,
): Promise<void> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  await database.db.transaction().execute(async (transaction) => {
    await requireStaff(transaction, staffId);
    const decision = { state, decided_at: nowMs, decided_by: staffId, reason };
    const userId = await markDecided(transaction, id, decision);
    if (userId === undefined) {
      throw (await findApplication(transaction, id)) === undefined
        ? notFound()
        : new Problem(409, 'このクオリティチェックは審査待ちではありません。');
    }
    const member = await lockApplicant(transaction, userId);
    if (member === undefined) throw notFound();
    const isApproved = state === 'approved';
    await updateApplicant(transaction, userId, isApproved ? { status: '', is_verified: 1 } : { status: '' });
    const action = `${isApproved ? 'approve' : 'reject'} quality check`;
    await recordAction(transaction, { staffId, action, subject: id, note: reason }, nowMs);
    const mail = isApproved ? toApprovedMail(deps, member) : toRejectedMail(deps, member, reason);
    await queueMail(transaction, mail, nowMs);
  });
  deps.catalogueChanged();
  await destroyFiles(deps, id);
}
