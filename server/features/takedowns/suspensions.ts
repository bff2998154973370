import { notFound } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { deleteSessionsOf, updateMemberRow } from '../accounts/queries.ts';
import { memberRefused } from '../accounts/member-refused.ts';
import { queueMail } from '../mail/service.ts';
import { announceAccount } from '../catalogue/search/reindexing.ts';
import { insertUnindexed } from '../catalogue/search/reindexing-queries.ts';
import { releaseSounds, withholdSounds } from '../catalogue/sound-rows.ts';
import { lockStaff, recordAction } from '../staff/actions.ts';
import { toReason } from '../staff/reasons.ts';
import type { RecordedAction } from '../staff/actions.ts';
import { toSuspendedMail, toUnsuspendedMail } from './suspension-mails.ts';
import type { Handle } from '../../platform/database/handle.ts';
import type { Db } from './tables.ts';

type SuspensionDeps = Pick<Platform, 'database' | 'clock' | 'catalogueChanged' | 'siteUrl' | 'siteName'>;

/**
 * Blocks a member and hides everything of theirs from everyone else: artist page, sounds, files and downloads. The
 * transaction hides all of it; the search index follows in batches, whose progress survives a crash. The member can log
 * in again. Returns false and changes nothing when the member is already suspended. Throws `Problem` 400 for an invalid
 * reason, 403 when `staffId` is not a staff account or is the member's own, 404, 409 while the account is being deleted.
 */
export async function suspendMember(
  deps: SuspensionDeps,
  memberId: string,
  staffId: string,
  reason: string,
): Promise<boolean> {
  const suspension_reason = toReason(reason);
  return change(deps, memberId, staffId, async (transaction, member) => {
    if (member.suspension_reason !== null) return false;
    await updateMemberRow(transaction, memberId, {
      suspension_reason,
      was_blocked: member.is_blocked,
      is_blocked: 1,
    });
    await deleteSessionsOf(transaction, memberId);
    await withholdSounds(transaction, memberId);
    const action: RecordedAction = {
      staffId,
      action: 'suspend member',
      subject: memberId,
      note: suspension_reason,
    };
    await recordAction(transaction, action, deps.clock.now());
    await queueMail(transaction, toSuspendedMail(deps, member, suspension_reason), deps.clock.now());
    return true;
  });
}

/**
 * Ends a suspension: everything is as public as before, except sounds that are hidden individually. The member stays
 * blocked only if they were before. Returns false when the member is not suspended. Throws `Problem` 403, 404, 409.
 */
export async function unsuspendMember(
  deps: SuspensionDeps,
  memberId: string,
  staffId: string,
): Promise<boolean> {
  return change(deps, memberId, staffId, async (transaction, member) => {
    if (member.suspension_reason === null) return false;
    await updateMemberRow(transaction, memberId, {
      suspension_reason: null,
      was_blocked: 0,
      is_blocked: member.was_blocked,
    });
    await releaseSounds(transaction, memberId);
    const action: RecordedAction = { staffId, action: 'unsuspend member', subject: memberId };
    await recordAction(transaction, action, deps.clock.now());
    const mail = toUnsuspendedMail(deps, member, member.was_blocked === 1);
    await queueMail(transaction, mail, deps.clock.now());
    return true;
  });
}

type LockedMember = NonNullable<Awaited<ReturnType<typeof lockMember>>>;

async function change(
  deps: SuspensionDeps,
  memberId: string,
  staffId: string,
  apply: (transaction: Handle, member: LockedMember) => Promise<boolean>,
): Promise<boolean> {
  const isChanged = await deps.database.db.transaction().execute(async (transaction: Handle) => {
    // Locks all staff accounts: if two suspended each other concurrently, no one who can decide might be left.
    const staff = await lockStaff(transaction);
    if (!staff.includes(staffId)) throw memberRefused('not-staff');
    if (memberId === staffId) throw memberRefused('self');
    const member = await lockMember(transaction, memberId);
    if (member === undefined) throw notFound();
    if (member.deletion_requested_at !== null) throw memberRefused('deleting');
    if (!(await apply(transaction, member))) return false;
    await insertUnindexed(transaction, memberId);
    return true;
  });
  if (!isChanged) return false;
  await announceAccount(deps, memberId);
  return true;
}

function lockMember(db: Db, memberId: string) {
  return db
    .selectFrom('users')
    .select(['username', 'email', 'is_blocked', 'was_blocked', 'suspension_reason', 'deletion_requested_at'])
    .where('id', '=', memberId)
    .forNoKeyUpdate()
    .executeTakeFirst();
}
