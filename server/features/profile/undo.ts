import { REVIEWED_FIELDS } from '../../../contract/profile-fields.ts';
import { isUniqueViolation } from '../../platform/database/drivers/unique-violation.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { RESET_LINK_MS } from '../accounts/password-reset.ts';
import { deleteAddressChange } from '../accounts/address-change-queries.ts';
import {
  deleteSessionsOf,
  deleteUnusedPasswordResets,
  findAccountByEmail,
  insertPasswordReset,
  updateMemberRow,
} from '../accounts/queries.ts';
import { deleteUndoLinks, getUndoLink, readUndo, wrongUndoLink } from '../accounts/undo-links.ts';
import { hashToken, makeToken } from '../accounts/tokens.ts';
import { toEmailKey } from '../accounts/users.ts';
import { toUndoneMail } from '../accounts/mails.ts';
import type { PreviousValues } from '../accounts/undo-links.ts';
import { announceArtist } from '../artists/changes.ts';
import { MAKE_BANK_FILE, bookDecision } from '../ledger/transfer-decisions.ts';
import { lockWaiting, selectMemberRequests } from '../ledger/queries.ts';
import { toInFileMail } from '../ledger/mails.ts';
import { queueMail } from '../mail/service.ts';
import { announceAccount } from '../catalogue/search/reindexing.ts';
import { cancelDeletion, cancelOwnDeletion } from '../own-data/deletion.ts';
import { findDeletionRequest } from '../own-data/deletion-queries.ts';
import { PERSONAL_INFO, updateStanding } from '../reviews/personal-info/kind.ts';
import { destroyFiles } from '../reviews/life-cycle.ts';
import { findSubmissionSince, withdrawSince } from '../reviews/personal-info/submission-queries.ts';
import { findLastTimes } from '../staff/actions.ts';
import { toPayoutHold } from './changes.ts';
import { toLabel } from './guarded-fields.ts';
import type { GuardedField } from './guarded-fields.ts';
import type { ProfileOptions } from './options.ts';
import { findProfileRow, lockProfile } from './queries.ts';
import type { LockedProfile } from './queries.ts';
import { rename } from './renames.ts';
import {
  countSoundsSince,
  countWidenedDownloads,
  listRestorable,
  restoreOwnSounds,
  restoreSounds,
  toDownloadsNote,
} from './sound-undo.ts';
import type { Restorable, SoundCounts } from './sound-undo.ts';
import type { Handle } from '../../platform/database/handle.ts';

const REASON = 'ご本人による取り消しの手続きがありました。';
const TRANSFER = '送金の依頼';
const ID_SUBMISSION = '本人確認書類の提出';
const DELETION = 'アカウントの削除';
const toSoundLabels = ({ deleted, changed }: SoundCounts) => [
  ...(deleted > 0 ? [`サウンドの削除（${deleted.toLocaleString('ja-JP')}件）`] : []),
  ...(changed > 0 ? [`サウンドの変更（${changed.toLocaleString('ja-JP')}件）`] : []),
];

export interface UndoDescription {
  /** What was changed, as text for people. */
  readonly changes: string[];
  /** Epoch ms. */
  readonly changedAt: number;
  /** Whether `undoKeepingPassword` accepts the link. */
  readonly canKeepPassword: boolean;
  /** The sounds that this would bring back. */
  readonly sounds: Restorable;
  /** Downloads of sounds since more was allowed for them. */
  readonly widenedDownloads: number;
}

/** Describes what a link would undo; changes nothing. Throws `Problem` 400 for a wrong, used or expired link. */
export async function describeUndo({ database, clock }: Platform, token: string): Promise<UndoDescription> {
  const { db } = database;
  const link = await getUndoLink(db, token, clock.now());
  const { user_id: userId, created_at: since } = link;
  const values = await readUndo(db, userId, since);
  const changes = toLabels(values);
  const transfer = await findOpenTransfer(db, userId, since);
  if (transfer !== undefined && !(await wasInFile(db, transfer.id))) changes.push(TRANSFER);
  if (await findSubmissionSince(db, userId, since)) changes.push(ID_SUBMISSION);
  const deletionAt = await findDeletionRequest(db, userId);
  if (deletionAt !== undefined && deletionAt >= since) changes.push(DELETION);
  changes.push(...toSoundLabels(await countSoundsSince(db, userId, since)));
  const sounds = await listRestorable({ database }, link);
  const isOfSounds = sounds.deleted.length + sounds.changed.count > 0;
  return {
    changes,
    changedAt: since,
    canKeepPassword: deletionAt === since || isOfSounds,
    sounds,
    widenedDownloads: await countWidenedDownloads(db, userId, since),
  };
}

/** Undoes a deletion by its own link, for an owner who has changed their mind. Throws `Problem` 400. */
export async function undoKeepingPassword(deps: Platform, token: string): Promise<void> {
  const { mail_id } = await getUndoLink(deps.database.db, token, deps.clock.now());
  await (mail_id === null ? cancelOwnDeletion : restoreOwnSounds)(deps, token);
}

/**
 * Restores an account to its state before a change, by the link in the mail about it: every guarded value since then,
 * an open payout request, an ID that was sent or approved, deleted and changed sounds, a deletion of the account. It locks out the
 * person who made the change: the sessions, the password, other links and pending addresses end, and the restored address gets a link to choose a new password.
 * Payouts are held again if payee details change. Throws `Problem` 400 for a wrong, used or expired link, 409 when the
 * former address has another account by now. A request that is in a file for the bank stays: its yen may be paid already.
 * The operator hears of it.
 */
export async function undoChange(
  deps: Platform & Pick<ProfileOptions, 'operatorEmail'>,
  token: string,
): Promise<void> {
  const { database, clock } = deps;
  const nowMs = clock.now();
  const { user_id: userId, created_at: since } = await getUndoLink(database.db, token, nowMs);
  const {
    submissions: withdrawn,
    usernames,
    isRestored,
  } = await database.db
    .transaction()
    .execute(async (transaction: Handle) => {
      // First, because it blocks the member.
      const isAccountRestored = await cancelDeletion(transaction, userId, since);
      // Lock order, as elsewhere: submissions, the member, then payout requests and balances. Public fields of a
      // blocked member, and what the staff is reviewing, do not change.
      const isBlocked = (await findProfileRow(transaction, userId))?.is_blocked === 1;
      const submissions = isBlocked
        ? []
        : await withdrawSince(transaction, userId, since, { nowMs, reason: REASON });
      const member = await lockProfile(transaction, userId);
      if (member === undefined) throw wrongUndoLink();
      await getUndoLink(transaction, token, nowMs);
      const all = await readUndo(transaction, userId, since);
      const { username, ...values } = member.is_blocked === 1 ? withoutPublic(all) : all;
      await deleteUndoLinks(transaction, userId, since);
      const transfer = await cancelTransfer(transaction, userId, since, nowMs);
      if (submissions.length > 0) await updateStanding(transaction, userId, 'rejected');
      await restore(transaction, userId, values, nowMs);
      const downloads = await countWidenedDownloads(transaction, userId, since);
      const sounds = await restoreSounds(transaction, userId, { sinceMs: since }, { undone: 'all', nowMs });
      const isRenamed = username !== undefined && (await renameBack(transaction, member, username, nowMs));
      const labels = toLabels({ ...(isRenamed && { username }), ...values });
      if (transfer?.isInFile === false) labels.push(TRANSFER);
      if (transfer?.isInFile === true) {
        await updateMemberRow(transaction, userId, { payout_held_until: toPayoutHold(nowMs) });
        await queueMail(transaction, toInFileMail(deps, member.username, transfer.amount), nowMs);
      }
      if (submissions.length > 0) labels.push(ID_SUBMISSION);
      if (isAccountRestored) labels.push(DELETION);
      labels.push(...toSoundLabels(sounds));
      const name = isRenamed ? username : member.username;
      const owner = { id: userId, username: name, email: values.email ?? member.email };
      const resetToken = await replaceAccess(transaction, userId, nowMs);
      await queueMail(
        transaction,
        toUndoneMail(deps, owner, { labels, notes: toDownloadsNote(downloads), token: resetToken }),
        nowMs,
        { priority: 'account' },
      );
      const isRestored = isAccountRestored || sounds.deleted + sounds.changed > 0 || isRenamed;
      return { submissions, usernames: [...new Set([member.username, name])], isRestored };
    })
    .catch((error: unknown) => {
      throw isUniqueViolation(error) ? addressTaken() : error;
    });
  for (const id of withdrawn) await destroyFiles(deps, PERSONAL_INFO, id);
  announceArtist(deps, usernames, { isFaceChanged: usernames.length > 1 });
  if (isRestored) await announceAccount(deps, userId);
}

/** Returns false and changes nothing if another member has the name by now: everything else is restored. */
async function renameBack(
  transaction: Handle,
  member: LockedProfile,
  username: string,
  nowMs: number,
): Promise<boolean> {
  if (username === member.username) return false;
  try {
    await rename(transaction, member, username, nowMs);
    return true;
  } catch (error) {
    if (error instanceof Problem) return false;
    throw error;
  }
}

async function restore(db: Handle, userId: string, values: Omit<PreviousValues, 'username'>, nowMs: number) {
  const { email, ...fields } = values;
  const owner = email === undefined ? undefined : await findAccountByEmail(db, toEmailKey(email));
  if (owner !== undefined && owner.id !== userId) throw addressTaken();
  const isHeld = REVIEWED_FIELDS.some((field) => field in values);
  await updateMemberRow(db, userId, {
    ...fields,
    ...(email !== undefined && { email, email_key: toEmailKey(email) }),
    ...(isHeld && { payout_held_until: toPayoutHold(nowMs) }),
    // The person who made the change may know the password.
    password_hash: null,
  });
}

/** Revokes all access except the token that chooses a new password. */
async function replaceAccess(db: Handle, userId: string, nowMs: number): Promise<string> {
  await deleteSessionsOf(db, userId);
  await deleteAddressChange(db, userId);
  await deleteUnusedPasswordResets(db, userId);
  const token = makeToken();
  await insertPasswordReset(db, {
    token_hash: hashToken(token),
    user_id: userId,
    created_at: nowMs,
    expires_at: nowMs + RESET_LINK_MS,
    used_at: null,
  });
  return token;
}

async function findOpenTransfer(db: Handle, userId: string, since: number) {
  const [newest] = await selectMemberRequests(db, userId, { limit: 1 });
  return newest?.state === 'requested' && newest.created_at >= since ? newest : undefined;
}

/**
 * Returns the yen of an undecided request, unless it is in a file for the bank. Returns the request; undefined if the
 * staff has decided it, or there is none.
 */
async function cancelTransfer(transaction: Handle, userId: string, since: number, nowMs: number) {
  const request = await findOpenTransfer(transaction, userId, since);
  if (request === undefined || (await lockWaiting(transaction, [request.id])).length === 0) return undefined;
  const isInFile = await wasInFile(transaction, request.id);
  const decision = { state: 'refused', decided_at: nowMs, decided_by: userId, reason: REASON } as const;
  if (!isInFile) await bookDecision(transaction, request.id, decision);
  return { isInFile, amount: request.amount };
}

async function wasInFile(db: Handle, requestId: string): Promise<boolean> {
  return (await findLastTimes(db, MAKE_BANK_FILE, [requestId])).has(requestId);
}

function withoutPublic(values: PreviousValues): PreviousValues {
  const others = Object.entries(values).filter(
    ([name]) => name !== 'username' && name !== 'message_email' && name !== 'donation_url',
  );
  return Object.fromEntries(others);
}

function toLabels(values: PreviousValues): string[] {
  return (Object.keys(values) as GuardedField[]).map(toLabel);
}

function addressTaken(): Problem {
  return new Problem(
    409,
    '変更前のメールアドレスは、ほかのアカウントで使われています。お手数ですが、お問い合わせください。',
  );
}
