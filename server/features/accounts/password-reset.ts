import type { InferOutput } from 'valibot';
import type { PasswordResetSchema } from '../../../contract/accounts.ts';
import type { ApiDeps } from '../../http/context.ts';
import { Problem } from '../../http/problem.ts';
import { isWithinLimit } from '../../ports/rate-limits.ts';
import { toEmailKey } from '../artists/users.ts';
import { deleteEmailChange } from '../profile/email-change-queries.ts';
import { queueMail } from '../mail/service.ts';
import { findDeviceId } from './devices.ts';
import { deleteExpired } from './expiry.ts';
import { KNOWN_DEVICE_FAILURES, RESET_MAILS, UNKNOWN_DEVICE_FAILURES } from './limits.ts';
import { toPasswordChangedMail, toPasswordResetMail } from './mails.ts';
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
import { hashToken, isId, makeToken } from './tokens.ts';

const LINK_LIFETIME_MS = 30 * 60 * 1000;

/** Mails a link to choose a new password, if the address has an account; nobody is told whether. */
export async function requestPasswordReset(deps: ApiDeps, email: string): Promise<void> {
  const { database, clock, rateLimits } = deps;
  const now = clock.now();
  const emailKey = toEmailKey(email);
  const mayMail = await isWithinLimit(rateLimits, RESET_MAILS, emailKey);
  const owner = await findAccountByEmail(database.db, emailKey);
  await deleteExpired(database, 'password_resets', now);
  if (!mayMail || owner === undefined) return;
  const token = makeToken();
  await database.db.transaction().execute(async (transaction) => {
    // The account is locked before what belongs to it; its address may have changed a moment ago.
    await lockPasswordHash(transaction, database.dialect, owner.id);
    if ((await findAccountByEmail(transaction, emailKey))?.id !== owner.id) return;
    await deleteUnusedPasswordResets(transaction, owner.id);
    await insertPasswordReset(transaction, {
      token_hash: hashToken(token),
      user_id: owner.id,
      created_at: now,
      expires_at: now + LINK_LIFETIME_MS,
      used_at: null,
    });
    await queueMail(transaction, toPasswordResetMail(deps, owner, token), now);
  });
}

/**
 * Sets a new password by a link, once, and ends every session of the account: whoever knew the old
 * one is out. `device` is what an earlier log-in left in the browser. Throws `Problem` 400 for a link
 * that is wrong, used or too old, before any password is hashed, and `Busy`.
 */
export async function resetPassword(
  deps: ApiDeps,
  { uid, token, password }: InferOutput<typeof PasswordResetSchema>,
  device: string,
): Promise<void> {
  const { database, clock, passwords, rateLimits, sessionSecret } = deps;
  const now = clock.now();
  const tokenHash = hashToken(token);
  if (!isId(uid) || !(await findPasswordReset(database.db, uid, tokenHash, now))) throw wrongLink();
  const password_hash = await passwords.hash(password);
  const owner = await database.db.transaction().execute(async (transaction) => {
    await lockPasswordHash(transaction, database.dialect, uid);
    if (!(await takePasswordReset(transaction, uid, tokenHash, now))) throw wrongLink();
    await deleteUnusedPasswordResets(transaction, uid);
    // Whoever had the account may have asked for another address.
    await deleteEmailChange(transaction, uid);
    await updatePasswordHash(transaction, uid, password_hash);
    await deleteSessionsOf(transaction, uid);
    const account = await findAccount(transaction, uid);
    if (account) await queueMail(transaction, toPasswordChangedMail(deps, account), now);
    return account;
  });
  if (owner) await rateLimits.forget(UNKNOWN_DEVICE_FAILURES, owner.email_key);
  const deviceId = findDeviceId(sessionSecret, uid, device);
  if (deviceId !== undefined) await rateLimits.forget(KNOWN_DEVICE_FAILURES, deviceId);
}

function wrongLink(): Problem {
  return new Problem(
    400,
    'リンクの有効期限が切れているか、リンクが正しくありません。パスワードの再設定をもう一度お手続きください。',
  );
}
