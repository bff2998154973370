import { announceArtist } from '../artists/changes.ts';
import { isUniqueViolation } from '../../platform/database/drivers/unique-violation.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { addUndoLink } from '../accounts/undo-links.ts';
import {
  deleteAddressChange,
  replaceAddressChange,
  takeAddressChange,
} from '../accounts/address-change-queries.ts';
import { deleteUnusedPasswordResets, findAccountByEmail, updateMemberRow } from '../accounts/queries.ts';
import { endRegistrations } from '../accounts/registration-queries.ts';
import { hashToken, makeToken } from '../accounts/tokens.ts';
import { toEmailKey } from '../accounts/users.ts';
import type { ChangeContext } from '../accounts/undo-links.ts';
import { queueMail } from '../mail/service.ts';
import { BLOCKED_PROBLEM } from '../staff/reasons.ts';
import {
  toAddressInUseMail,
  toEmailChangeRequestedMail,
  toEmailChangedMail,
  toEmailConfirmationMail,
  toMessageAddressMail,
} from './mails.ts';
import { lockProfile } from './queries.ts';
import type { LockedProfile } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

type MailDeps = Pick<Platform, 'siteUrl' | 'siteName'>;

/** A new address given by a member. */
interface AddressRequest {
  readonly email: string;
  /** The address that is already pending. */
  readonly waiting: string | undefined;
  /** Whether one more mail may go to the address. */
  readonly mayMail: boolean;
}

/**
 * Makes a new address pending until its link is opened and notifies the current one. Entering the current address
 * cancels the change. The reply does not disclose whether the new address has an account: in that case only its owner
 * is notified by mail, and the change cannot be confirmed.
 */
export async function requestEmailChange(
  transaction: Handle,
  deps: MailDeps,
  member: LockedProfile,
  { email, waiting, mayMail }: AddressRequest,
  context: ChangeContext,
): Promise<void> {
  const { nowMs } = context;
  if (email === member.email) return deleteAddressChange(transaction, member.id, 'account');
  const owner = await findAccountByEmail(transaction, toEmailKey(email));
  // If no mail is sent, the previously mailed link must stay valid.
  if (!mayMail && waiting === email) return;
  const token = makeToken();
  const expiresAtMs = await replaceAddressChange(transaction, {
    user_id: member.id,
    kind: 'account',
    token_hash: hashToken(token),
    email,
    created_at: nowMs,
  });
  const isFree = owner === undefined || owner.id === member.id;
  const link = { token, ...(waiting === email && { expiresAtMs }) };
  const mail = isFree ? toEmailConfirmationMail(deps, email, link) : toAddressInUseMail(deps, owner.email);
  if (mayMail) await queueMail(transaction, mail, nowMs, { priority: 'address' });
  // Requesting the same address again is not another change.
  if (waiting === email) return;
  const undo = await addUndoLink(transaction, deps, member.id, { email: member.email }, context);
  await queueMail(transaction, toEmailChangeRequestedMail(deps, member, undo), nowMs, {
    priority: 'account',
  });
}

/**
 * Changes the address for visitors' messages once its owner, logged in, opens the mailed link; until then messages go
 * to the previous one. The account's own address is already confirmed, and '' disables messages. Requesting the pending
 * address again sends another link, which expires at the same time as the first.
 */
export async function requestMessageAddress(
  transaction: Handle,
  deps: MailDeps,
  member: LockedProfile,
  { email, waiting, mayMail }: AddressRequest,
  nowMs: number,
): Promise<void> {
  if (email === '' || email === member.message_email || toEmailKey(email) === member.email_key) {
    await deleteAddressChange(transaction, member.id, 'message');
    return updateMemberRow(transaction, member.id, { message_email: email });
  }
  if (!mayMail && waiting === email) return;
  const token = makeToken();
  const expiresAtMs = await replaceAddressChange(transaction, {
    user_id: member.id,
    kind: 'message',
    token_hash: hashToken(token),
    email,
    created_at: nowMs,
  });
  const link = { token, ...(waiting === email && { expiresAtMs }) };
  if (mayMail)
    await queueMail(transaction, toMessageAddressMail(deps, email, link), nowMs, { priority: 'address' });
}

/** Activates an address for messages; throws like `confirmEmailChange`. */
export async function confirmMessageAddress(deps: Platform, userId: string, token: string): Promise<void> {
  const { database, clock } = deps;
  const username = await database.db.transaction().execute(async (transaction: Handle) => {
    const member = await lockProfile(transaction, userId);
    if (member === undefined) throw wrongLink();
    if (member.is_blocked === 1) throw new Problem(403, BLOCKED_PROBLEM);
    const link = { userId, kind: 'message', tokenHash: hashToken(token) } as const;
    const change = await takeAddressChange(transaction, link, clock.now());
    if (change === undefined) throw wrongLink();
    await updateMemberRow(transaction, userId, { message_email: change.email });
    return member.username;
  });
  // The artist's page now shows a button.
  announceArtist(deps, [username], { isFaceChanged: false });
}

/**
 * Activates a new account address by its mailed link, only for the member who requested it. Links to choose a password
 * are invalidated: they are in the mailbox of the old address, which is notified. Throws `Problem` 400 when the link is
 * wrong, used, replaced or expired, or the address has been taken meanwhile.
 */
export async function confirmEmailChange(
  deps: Platform,
  userId: string,
  token: string,
  device: string,
): Promise<void> {
  const { database, clock } = deps;
  const now = clock.now();
  const isMade = await database.db
    .transaction()
    .execute(async (transaction: Handle) => {
      const member = await lockProfile(transaction, userId);
      const link = { userId, kind: 'account', tokenHash: hashToken(token) } as const;
      const change = await takeAddressChange(transaction, link, now);
      if (member === undefined || change === undefined) throw wrongLink();
      const { email } = change;
      const email_key = toEmailKey(email);
      const owner = await findAccountByEmail(transaction, email_key);
      if (owner !== undefined && owner.id !== userId) return false;
      await updateMemberRow(transaction, userId, { email, email_key });
      await deleteUnusedPasswordResets(transaction, userId);
      await endRegistrations(transaction, email_key);
      const before = { email: member.email };
      const undo = await addUndoLink(transaction, deps, userId, before, { nowMs: now, device });
      await queueMail(transaction, toEmailChangedMail(deps, member, undo), now, { priority: 'account' });
      return true;
    })
    .catch((error: unknown) => {
      if (isUniqueViolation(error)) return false;
      throw error;
    });
  if (!isMade) throw new Problem(400, 'このメールアドレスは、確認の前にほかのアカウントで登録されました。');
}

function wrongLink(): Problem {
  return new Problem(
    400,
    '確認リンクが正しくないか、有効期限が切れています。変更を申し込んだアカウントでログインしているかご確認のうえ、必要であればもう一度メールアドレスを変更してください。',
  );
}
