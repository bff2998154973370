import type { Kysely } from 'kysely';
import { isUniqueViolation } from '../../database/unique-violation.ts';
import type { Schema } from '../../database/schema.ts';
import type { ApiDeps } from '../../http/context.ts';
import { Problem } from '../../http/problem.ts';
import { deleteUnusedPasswordResets, findAccountByEmail } from '../accounts/queries.ts';
import { endRegistrations } from '../accounts/registration-queries.ts';
import { hashToken, makeToken } from '../accounts/tokens.ts';
import { toEmailKey } from '../artists/users.ts';
import { queueMail } from '../mail/service.ts';
import {
  deleteEmailChange,
  findEmailChange,
  replaceEmailChange,
  takeEmailChange,
} from './email-change-queries.ts';
import {
  toAddressInUseMail,
  toEmailChangeAnnouncedMail,
  toEmailChangedMail,
  toEmailConfirmationMail,
} from './mails.ts';
import { lockProfile, updateProfileRow } from './queries.ts';
import type { LockedProfile } from './queries.ts';

const LINK_LIFETIME_MS = 24 * 60 * 60 * 1000;

/**
 * Has a new address wait until its link is opened; the present one is told, and the present one itself
 * ends the waiting. Nobody learns whether the new one has an account: its owner alone is told, by
 * mail, and the change is one that nobody can confirm. `mayMail`: the new address may get one more mail.
 */
export async function requestEmailChange(
  transaction: Kysely<Schema>,
  deps: Pick<ApiDeps, 'siteUrl' | 'siteName'>,
  member: LockedProfile,
  { email, mayMail, nowMs }: { readonly email: string; readonly mayMail: boolean; readonly nowMs: number },
): Promise<void> {
  if (email === member.email) return deleteEmailChange(transaction, member.id);
  const owner = await findAccountByEmail(transaction, toEmailKey(email));
  const waiting = await findEmailChange(transaction, member.id, nowMs);
  // When no mail goes out, the link that did must go on working.
  if (!mayMail && waiting?.email === email) return;
  const token = makeToken();
  await replaceEmailChange(transaction, {
    user_id: member.id,
    token_hash: hashToken(token),
    email,
    created_at: nowMs,
    expires_at: nowMs + LINK_LIFETIME_MS,
  });
  const isFree = owner === undefined || owner.id === member.id;
  const mail = isFree ? toEmailConfirmationMail(deps, email, token) : toAddressInUseMail(deps, owner.email);
  if (mayMail) await queueMail(transaction, mail, nowMs);
  await queueMail(transaction, toEmailChangeAnnouncedMail(deps, member), nowMs);
}

/**
 * Makes a new address the account's, by the link that was mailed to it and for whoever asked for it
 * alone. Links to choose a password end: they are in the letter box of the old address, which is told.
 * Throws `Problem` 400 when the link is wrong, used, replaced or too old, or the address taken by now.
 */
export async function confirmEmailChange(deps: ApiDeps, userId: string, token: string): Promise<void> {
  const { database, clock } = deps;
  const now = clock.now();
  const isMade = await database.db
    .transaction()
    .execute(async (transaction) => {
      const member = await lockProfile(transaction, database.dialect, userId);
      const change = await takeEmailChange(transaction, userId, hashToken(token), now);
      if (member === undefined || change === undefined) throw wrongLink();
      const { email } = change;
      const email_key = toEmailKey(email);
      const owner = await findAccountByEmail(transaction, email_key);
      if (owner !== undefined && owner.id !== userId) return false;
      await updateProfileRow(transaction, userId, { email, email_key });
      await deleteUnusedPasswordResets(transaction, userId);
      await endRegistrations(transaction, email_key);
      await queueMail(transaction, toEmailChangedMail(deps, member), now);
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
