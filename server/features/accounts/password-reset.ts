import { MINUTE_MS } from '../../../contract/values/time-units.ts';
import { isId } from '../../platform/database/statements/random-id.ts';
import type { InferOutput } from 'valibot';
import type { PasswordResetSchema } from '../../../contract/accounts/accounts.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Platform } from '../../platform/http/context.ts';
import { isWithinLimit } from '../../platform/limits/rate-limits.ts';
import { toEmailKey, toMailboxKey } from './users.ts';
import { deleteAddressChange } from './address-change-queries.ts';
import { queueMail } from '../mail/service.ts';
import { findDeviceId, makeDevice } from './devices.ts';
import { deleteExpired } from './expiry.ts';
import { RESET_MAILS } from './limits.ts';
import { sendMailInBackground } from './background-mail.ts';
import { toPasswordChangedMail, toPasswordResetMail } from './mails.ts';
import { clearPasswordFailures } from './password-failures.ts';
import {
  deleteSessionsOf,
  deleteUnusedPasswordResets,
  findAccount,
  findAccountByEmail,
  findPasswordReset,
  insertPasswordReset,
  lockPasswordHash,
  takePasswordReset,
  updatePasswordHash,
} from './queries.ts';
import { hashToken, makeToken } from './tokens.ts';
import type { Handle } from '../../platform/database/handle.ts';

const RESET_LINK_MS = 30 * MINUTE_MS;

/**
 * Mails a link to choose a new password if the address has an account, without disclosing whether it has. Nothing that
 * depends on the account happens before the reply, see `sendMailInBackground`.
 */
export async function requestPasswordReset(deps: Platform, email: string): Promise<void> {
  const emailKey = toEmailKey(email);
  if (!(await isWithinLimit(deps.rateLimits, RESET_MAILS, toMailboxKey(email)))) return;
  sendMailInBackground(deps, 'failed to mail a password reset link', () => mailResetLink(deps, emailKey));
}

async function mailResetLink(deps: Platform, emailKey: string): Promise<void> {
  const { database, clock } = deps;
  const now = clock.now();
  await deleteExpired(database, 'password_resets', now);
  const owner = await findAccountByEmail(database.db, emailKey);
  if (owner === undefined) return;
  await database.db.transaction().execute(async (transaction: Handle) => {
    // Locks the account before its dependent rows. Its address may have just changed.
    await lockPasswordHash(transaction, owner.id);
    if ((await findAccountByEmail(transaction, emailKey))?.id !== owner.id) return;
    const token = await replaceResetLink(transaction, owner.id, now);
    await queueMail(transaction, toPasswordResetMail(deps, owner, token), now, { priority: 'account' });
  });
}

/** Ends the links of an account to choose a new password. Returns the token of a new one. */
export async function replaceResetLink(transaction: Handle, user_id: string, nowMs: number): Promise<string> {
  const token = makeToken();
  await deleteUnusedPasswordResets(transaction, user_id);
  await insertPasswordReset(transaction, {
    token_hash: hashToken(token),
    user_id,
    created_at: nowMs,
    expires_at: nowMs + RESET_LINK_MS,
    used_at: null,
  });
  return token;
}

/**
 * Sets a new password by a single-use link and ends all sessions of the account, including those of an attacker who
 * knew the old password. `device` is the cookie of an earlier log-in. Returns the new cookie, because its owner has
 * read a mail of the account. Failed log-ins are deleted. Throws `Problem` 400 for a wrong, used or expired link,
 * before any password is hashed, and `Busy`.
 */
export async function resetPassword(
  deps: Platform,
  { uid, token, password }: InferOutput<typeof PasswordResetSchema>,
  device: string,
): Promise<string> {
  const { database, clock, passwords, sessionSecret } = deps;
  const now = clock.now();
  const tokenHash = hashToken(token);
  if (!isId(uid) || !(await findPasswordReset(database.db, uid, tokenHash, now))) throw wrongLink();
  const password_hash = await passwords.hash(password, { member: uid });
  const owner = await database.db.transaction().execute(async (transaction: Handle) => {
    await lockPasswordHash(transaction, uid);
    if (!(await takePasswordReset(transaction, uid, tokenHash, now))) throw wrongLink();
    await deleteUnusedPasswordResets(transaction, uid);
    // An attacker with access to the account may have requested other addresses.
    await deleteAddressChange(transaction, uid);
    await updatePasswordHash(transaction, uid, password_hash);
    await deleteSessionsOf(transaction, uid);
    const account = await findAccount(transaction, uid);
    if (account)
      await queueMail(transaction, toPasswordChangedMail(deps, account), now, { priority: 'account' });
    return account;
  });
  if (owner) await clearPasswordFailures(deps, owner.email_key);
  return makeDevice(sessionSecret, uid, findDeviceId(sessionSecret, uid, device));
}

function wrongLink(): Problem {
  return new Problem(
    400,
    'リンクの有効期限が切れているか、リンクが正しくありません。パスワードの再設定をもう一度お手続きください。',
  );
}
