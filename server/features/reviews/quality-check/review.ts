import type { Kysely } from 'kysely';
import type { Schema } from '../../../platform/database/database.ts';
import { notFound } from '../../../platform/http/http.ts';
import type { Platform } from '../../../platform/http/http.ts';
import { toReason } from '../../staff/staff.ts';
import { decideSubmission, destroyFiles } from '../life-cycle.ts';
import type { LifeCycleDeps } from '../life-cycle.ts';
import { QUALITY_CHECK } from './kind.ts';
import { toApprovedMail, toRejectedMail } from './mails.ts';
import { updateApplicant } from './queries.ts';
import {
  countRejections,
  findApplication,
  selectFiles,
  selectPending,
  selectTypes,
} from './review-queries.ts';

export type ReviewDeps = LifeCycleDeps & Pick<Platform, 'catalogueChanged'>;

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
  const isApproved = state === 'approved';
  const verdict = { verdict: isApproved ? 'approve' : 'reject', staffId, reason } as const;
  await decideSubmission(deps, QUALITY_CHECK, id, verdict, async (transaction, member) => {
    await updateApplicant(
      transaction,
      member.id,
      isApproved ? { status: '', is_verified: 1 } : { status: '' },
    );
    return isApproved ? toApprovedMail(deps, member) : toRejectedMail(deps, member, reason);
  });
  deps.catalogueChanged();
  await destroyFiles(deps, QUALITY_CHECK, id);
}
