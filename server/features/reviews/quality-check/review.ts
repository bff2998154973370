import { notFound } from '../../../platform/http/problem.ts';
import type { Platform } from '../../../platform/http/context.ts';
import { recordAction, requireStaff } from '../../staff/actions.ts';
import { toReason } from '../../staff/reasons.ts';
import {
  decideSubmission,
  destroyFiles,
  listDecisions,
  requirePending,
  selectSubmission,
} from '../life-cycle.ts';
import type { LifeCycleDeps } from '../life-cycle.ts';
import { QUALITY_CHECK } from './kind.ts';
import { toApprovedMail, toRejectedMail } from './mails.ts';
import {
  findApplication,
  selectAlsoFrom,
  selectFiles,
  selectPending,
  selectTypes,
  updateParked,
} from './review-queries.ts';
import type { Handle } from '../../../platform/database/handle.ts';
import { updateMemberRow } from '../../accounts/queries.ts';

export type ReviewDeps = LifeCycleDeps & Pick<Platform, 'catalogueChanged'>;

export interface PendingQualityCheck {
  readonly id: string;
  readonly username: string;
  readonly email: string;
  /** Epoch ms. */
  readonly submittedAt: number;
  readonly files: number;
  readonly isParked: boolean;
}

/** Applications that are waiting for review: oldest first, those put aside last. */
export async function listPendingQualityChecks(db: Handle): Promise<PendingQualityCheck[]> {
  const rows = await selectPending(db);
  return rows.map(({ submitted_at, parked_at, files, ...rest }) => ({
    ...rest,
    submittedAt: submitted_at,
    files: Number(files),
    isParked: parked_at !== null,
  }));
}

/**
 * One application, decided or not, with its files, the earlier decisions on its member, and who else sent the same
 * audio. Throws `Problem` 404.
 */
export async function getQualityCheck(db: Handle, id: string) {
  const application = await findApplication(db, id);
  if (application === undefined) throw notFound();
  const [rows, types, history] = await Promise.all([
    selectFiles(db, id),
    selectTypes(db, id),
    listDecisions(db, QUALITY_CHECK, application.user_id, id),
  ]);
  const hashes = rows.map(({ sha256 }) => sha256);
  const others = hashes.length === 0 ? [] : await selectAlsoFrom(db, application.user_id, hashes);
  const files = rows.map(({ sha256, ...file }) => ({
    ...file,
    alsoFrom: [
      ...new Set(others.filter(({ hash }) => hash === sha256).map(({ username }) => username)),
    ].toSorted(),
  }));
  return { ...application, files, types: types.map(({ name }) => name), history };
}

/**
 * Puts a waiting application aside, or back into the queue. Throws `Problem`: 403 for a caller who is not staff, 404,
 * and 409 once it is decided.
 */
export async function parkQualityCheck(
  { database, clock }: Pick<ReviewDeps, 'database' | 'clock'>,
  id: string,
  staffId: string,
  isParked: boolean,
): Promise<void> {
  await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    const found = await selectSubmission(transaction, QUALITY_CHECK, id).forNoKeyUpdate().executeTakeFirst();
    requirePending(QUALITY_CHECK, found);
    const nowMs = clock.now();
    await updateParked(transaction, id, isParked ? nowMs : null);
    const action = isParked ? 'park quality check' : 'unpark quality check';
    await recordAction(transaction, { staffId, action, subject: id }, nowMs);
  });
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
    await updateMemberRow(
      transaction,
      member.id,
      isApproved ? { status: '', is_verified: 1 } : { status: '' },
    );
    return isApproved ? toApprovedMail(deps, member) : toRejectedMail(deps, member, reason);
  });
  deps.catalogueChanged();
  await destroyFiles(deps, QUALITY_CHECK, id);
}
