import { Problem } from '../../platform/http/problem.ts';
import { toNetworkGroup } from '../../platform/http/address-limits.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';
import type { Platform } from '../../platform/http/context.ts';
import { toEmailKey } from './users.ts';
import { findDeviceId, makeDevice } from './devices.ts';
import { guardPassword } from './password-failures.ts';
import { findAccountByEmail } from './queries.ts';
import { sendConfirmationAgain } from './registration.ts';
import { findNewestRegistration } from './registration-queries.ts';
import { openSession } from './sessions.ts';
import type { SessionTokens } from './sessions.ts';
import { describeDevice } from './user-agents.ts';

export interface LoggedIn extends SessionTokens {
  readonly account: {
    readonly id: string;
    readonly username: string;
    readonly email: string;
    readonly picture_key: string | null;
    readonly is_staff: Flag;
  };
  readonly sessionId: string;
  /** The value that the browser sends at its next log-in. */
  readonly device: string;
}

/**
 * Opens a session for the correct password; `device` is the cookie of an earlier log-in. Compares exactly one password
 * whether or not the address has an account. The password of an unconfirmed registration counts as wrong, and its link
 * is mailed again. Anyone can register any address with a password of their own, so neither the reply nor the limits
 * may differ from those of a member's address. Throws `Problem` 400 for a wrong pair or an unconfirmed address,
 * 403 for an account that is being deleted, `TooManyRequests` and `Busy`.
 */
export async function logIn(
  deps: Platform,
  { email, password }: { readonly email: string; readonly password: string },
  {
    device,
    address,
    userAgent,
  }: {
    readonly device: string;
    readonly address: string;
    readonly userAgent: string | undefined;
  },
): Promise<LoggedIn> {
  const { database, passwords, sessionSecret } = deps;
  const emailKey = toEmailKey(email);
  const account = await findAccountByEmail(database.db, emailKey);
  const registration = await findNewestRegistration(database.db, emailKey, deps.clock.now());
  const deviceId = account && findDeviceId(sessionSecret, account.id, device);

  const hash = account ? account.password_hash : registration?.password_hash;
  const attempt = { emailKey, deviceId, address };
  let matches = false;
  const isRight = await guardPassword(deps, attempt, async () => {
    const isKnownDevice = account !== undefined && deviceId !== undefined;
    const whom = isKnownDevice ? { member: account.id } : { network: toNetworkGroup(address) };
    matches = await passwords.matches(password, hash ?? null, whom);
    return matches && account !== undefined;
  });
  if (matches && account === undefined && registration !== undefined) {
    sendConfirmationAgain(deps, registration, address);
  }
  if (!isRight || account === undefined) throw wrongCredentials();
  if (account.deletion_requested_at !== null) throw new Problem(403, BEING_DELETED);

  const origin = { device: describeDevice(userAgent), network: toNetworkGroup(address) };
  const tokens = await openSession(deps, account, origin);
  if (tokens === undefined) throw wrongCredentials();
  return { ...tokens, account, device: makeDevice(sessionSecret, account.id, deviceId) };
}

const BEING_DELETED =
  'このアカウントは、削除の手続き中です。取り消すには、「アカウントの削除を受け付けました」というメールのリンクを開いてください。';

function wrongCredentials(): Problem {
  return new Problem(
    400,
    'メールアドレスまたはパスワードが違います。メールアドレスの確認が済んでいない場合は、お送りした確認メールのリンクを開いてから、ログインしてください。',
  );
}
