import { notFound } from '../../../platform/http/problem.ts';
import { memberRefused } from '../../accounts/member-refused.ts';
import { queueMail } from '../../mail/service.ts';
import { recordAction, requireStaff } from '../../staff/actions.ts';
import { toReason } from '../../staff/reasons.ts';
import type { RecordedAction } from '../../staff/actions.ts';
import { toRevokedMail } from './mails.ts';
import { lockArtist, lockApplications, rejectApproved } from './queries.ts';
import type { ReviewDeps } from './review.ts';
import type { Handle } from '../../../platform/database/handle.ts';
import { updateMemberRow } from '../../accounts/queries.ts';

/**
 * Takes a passed quality check back: the member, who reads `reason`, uploads nothing more until a new application is
 * approved. Sounds, earnings and payout requests stay. Returns false and changes nothing when the check is not passed.
 * Throws `Problem` 400 for an invalid reason, 403 when `staffId` is not a staff account or is the member's own, 404, 409
 * while the account is being deleted.
 */
export async function revokeQualityCheck(
  deps: Pick<ReviewDeps, 'database' | 'clock' | 'catalogueChanged' | 'siteUrl' | 'siteName'>,
  memberId: string,
  staffId: string,
  reason: string,
): Promise<boolean> {
  const { database, clock } = deps;
  const rejectionReason = toReason(reason);
  const isRevoked = await database.db.transaction().execute(async (transaction: Handle) => {
    await requireStaff(transaction, staffId);
    if (memberId === staffId) throw memberRefused('self');
    // Lock order, as elsewhere: submissions, then the member.
    await lockApplications(transaction, memberId);
    const member = await lockArtist(transaction, memberId);
    if (member === undefined) throw notFound();
    if (member.deletion_requested_at !== null) throw memberRefused('deleting');
    if (member.is_verified === 0) return false;
    const nowMs = clock.now();
    await updateMemberRow(transaction, memberId, { status: '', is_verified: 0 });
    // The profile shows the reason beside the newest application.
    await rejectApproved(transaction, memberId, {
      decided_at: nowMs,
      decided_by: staffId,
      reason: rejectionReason,
    });
    const action: RecordedAction = {
      staffId,
      action: 'revoke quality check',
      subject: memberId,
      note: rejectionReason,
    };
    await recordAction(transaction, action, nowMs);
    await queueMail(transaction, toRevokedMail(deps, member, rejectionReason), nowMs);
    return true;
  });
  if (isRevoked) deps.catalogueChanged();
  return isRevoked;
}
