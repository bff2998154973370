import { MINUTE_MS } from '../../../contract/values/time-units.ts';
import {
  RECENT_LOGIN_REQUIRED,
  SECOND_FACTOR_AND_PASSWORD_REQUIRED,
  SECOND_FACTOR_REQUIRED,
} from '../../../contract/calls/errors.ts';
import { Problem } from '../../platform/http/problem.ts';
import type { Caller, Platform } from '../../platform/http/context.ts';
import { guardPassword } from './password-failures.ts';
import { findAccount, findPasswordHash, lockPasswordHash, updateSession } from './queries.ts';
import type { Handle } from '../../platform/database/handle.ts';

/**
 * How long after entering the password a session may change money, identity, e-mail and password (decision 032).
 */
const RECENT_MS = 15 * MINUTE_MS;

/**
 * Rejects a change of money, identity or addresses if the session has not entered the password within 15 minutes, so
 * that a stolen token alone is not enough. Throws `Problem` 403 with the code that the client knows.
 */
export function requireRecentLogIn(
  { authenticatedAt }: Pick<Caller, 'authenticatedAt'>,
  nowMs: number,
): void {
  if (isRecent(authenticatedAt, nowMs)) return;
  throw new Problem(403, {
    detail: '安全のため、パスワードをもう一度入力してください。',
    code: RECENT_LOGIN_REQUIRED,
  });
}

/** Whether a proof was given within 15 minutes. Setting the clock back must not extend the time. */
export function isRecent(givenAtMs: number, nowMs: number): boolean {
  return Math.abs(nowMs - givenAtMs) <= RECENT_MS;
}

/**
 * Refuses a call of the console whose session has not given a code, if the account has a second factor; with `isRecent`,
 * also one whose password or code is older than 15 minutes, as `requireRecentLogIn` does without a second factor. Throws `Problem` 403 with a code that the console knows.
 */
export function requireStaffLogIn(
  caller: Pick<Caller, 'secondFactorAt' | 'authenticatedAt'>,
  isRecentNeeded: boolean,
  nowMs: number,
): void {
  const { secondFactorAt, authenticatedAt } = caller;
  const isGiven = secondFactorAt === null || secondFactorAt > 0;
  const isFresh = secondFactorAt === null || isRecent(secondFactorAt, nowMs);
  if (isRecentNeeded ? isFresh : isGiven) {
    if (isRecentNeeded) requireRecentLogIn(caller, nowMs);
    return;
  }
  const needsPassword = isRecentNeeded && !isRecent(authenticatedAt, nowMs);
  throw new Problem(403, {
    detail: needsPassword
      ? '安全のため、パスワードと認証コードを入力してください。'
      : '認証アプリのコードを入力してください。',
    code: needsPassword ? SECOND_FACTOR_AND_PASSWORD_REQUIRED : SECOND_FACTOR_REQUIRED,
  });
}

/**
 * Records that the password was entered again, for the caller's session only. Throws `Problem` 400 for a wrong
 * password, 401 when the session or the password has changed meanwhile, `TooManyRequests` and `Busy`.
 */
export async function reauthenticate(
  deps: Pick<Platform, 'database' | 'clock' | 'passwords' | 'sessionSecret'>,
  { id, sessionId }: Pick<Caller, 'id' | 'sessionId'>,
  password: string,
): Promise<void> {
  const { database, clock, passwords } = deps;
  const account = await findAccount(database.db, id);
  if (account === undefined) throw sessionEnded();
  const hash = await findPasswordHash(database.db, id);
  // A stolen token has the attempts of one device, and does not delay other devices.
  const attempt = { emailKey: account.email_key, deviceId: sessionId, address: '' };
  const isRight = await guardPassword(deps, attempt, () =>
    passwords.matches(password, hash ?? null, { member: id }),
  );
  if (!isRight) throw new Problem(400, { password: 'パスワードが違います。' });
  await database.db.transaction().execute(async (transaction: Handle) => {
    const isSame = (await lockPasswordHash(transaction, id)) === hash;
    if (!isSame) throw sessionEnded();
    await updateSession(transaction, sessionId, { authenticated_at: clock.now() });
  });
}

function sessionEnded(): Problem {
  return new Problem(401, 'ログインの有効期限が切れました。もう一度ログインしてください。');
}
