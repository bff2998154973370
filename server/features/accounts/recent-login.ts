import { RECENT_LOGIN_REQUIRED } from '../../../contract/errors.ts';
import { Problem } from '../../platform/http/http.ts';
import type { Caller, Platform } from '../../platform/http/http.ts';
import { guardPassword } from './password-failures.ts';
import { findAccount, findPasswordHash, lockPasswordHash, updateSession } from './queries.ts';

/** How long after the password was given a session may change money, identity, e-mail and password (decisions.md). */
const RECENT_MS = 15 * 60 * 1000;

/**
 * Refuses a change of money, identity or addresses by a session that has not given the password for 15
 * minutes: a stolen token alone must not be enough. Throws `Problem` 403 with the code that the client knows.
 */
export function requireRecentLogIn(
  { authenticatedAt }: Pick<Caller, 'authenticatedAt'>,
  nowMs: number,
): void {
  // A clock that was set back must not make the time longer.
  if (Math.abs(nowMs - authenticatedAt) <= RECENT_MS) return;
  throw new Problem(403, {
    detail: '安全のため、パスワードをもう一度入力してください。',
    code: RECENT_LOGIN_REQUIRED,
  });
}

/**
 * Notes that the password was given again, for the caller's session alone. Throws `Problem` 400 for a wrong
 * password, 401 when the session or the password is another one by now, `TooMany` and `Busy`.
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
  // A stolen token has the guesses of one device, and delays no other.
  const attempt = { emailKey: account.email_key, deviceId: sessionId, address: '' };
  const isRight = await guardPassword(deps, attempt, () => passwords.matches(password, hash ?? null));
  if (!isRight) throw new Problem(400, { password: 'パスワードが違います。' });
  await database.db.transaction().execute(async (transaction) => {
    const isSame = (await lockPasswordHash(transaction, id)) === hash;
    if (!isSame) throw sessionEnded();
    await updateSession(transaction, sessionId, { authenticated_at: clock.now() });
  });
}

function sessionEnded(): Problem {
  return new Problem(401, 'ログインの有効期限が切れました。もう一度ログインしてください。');
}
