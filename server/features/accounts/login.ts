import type { ApiDeps } from '../../http/context.ts';
import { Problem } from '../../http/problem.ts';
import { toEmailKey } from '../artists/users.ts';
import { findDeviceId, makeDevice } from './devices.ts';
import { guardPassword } from './password-failures.ts';
import { findAccountByEmail } from './queries.ts';
import { sendConfirmationAgain } from './registration.ts';
import { findNewestRegistration } from './registration-queries.ts';
import { openSession } from './sessions.ts';
import type { SessionTokens } from './sessions.ts';

export interface LoggedIn extends SessionTokens {
  readonly account: {
    readonly id: string;
    readonly username: string;
    readonly email: string;
    readonly picture_key: string | null;
  };
  /** What the browser shows at its next log-in. */
  readonly device: string;
}

/**
 * Opens a session for whoever knows the password; `device` is what an earlier log-in left. Compares
 * one password whoever is asked for, so that nobody learns who has an account. Throws `Problem` 400
 * when the two do not belong together or the address is not confirmed yet, `TooMany` and `Busy`.
 */
export async function logIn(
  deps: ApiDeps,
  { email, password }: { readonly email: string; readonly password: string },
  { device, address }: { readonly device: string; readonly address: string },
): Promise<LoggedIn> {
  const { database, passwords, sessionSecret } = deps;
  const emailKey = toEmailKey(email);
  const account = await findAccountByEmail(database.db, emailKey);
  const registration = await findNewestRegistration(database.db, emailKey, deps.clock.now());
  const deviceId = account && findDeviceId(sessionSecret, account.id, device);

  const hash = account ? account.password_hash : registration?.password_hash;
  const attempt = { emailKey, deviceId, address };
  const isRight = await guardPassword(deps, attempt, () => passwords.matches(password, hash ?? null));
  if (!isRight) throw wrongCredentials();

  if (account === undefined) {
    const isMailed = registration !== undefined && (await sendConfirmationAgain(deps, registration));
    throw unconfirmed(isMailed);
  }
  const tokens = await openSession(deps, account);
  if (tokens === undefined) throw wrongCredentials();
  return { ...tokens, account, device: makeDevice(sessionSecret, account.id, deviceId) };
}

function wrongCredentials(): Problem {
  return new Problem(400, 'メールアドレスまたはパスワードが違います。');
}

/** Known only to who has the right password. */
function unconfirmed(isMailed: boolean): Problem {
  return new Problem(
    400,
    isMailed
      ? 'メールアドレスの確認が済んでいません。確認メールをもう一度お送りしました。メールのリンクを開いてから、ログインしてください。'
      : 'メールアドレスの確認が済んでいません。お送りした確認メールのリンクを開いてから、ログインしてください。',
  );
}
