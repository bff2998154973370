import type { Context } from 'hono';
import { setCookie } from 'hono/cookie';
import { DAY_SEC } from '../../../contract/values/time-units.ts';
import { isKeyedHash, keyedHash } from '../../platform/crypto/keyed-hash.ts';
import type { TokenHolder } from '../../platform/crypto/access-tokens.ts';
import { listCookieValues } from '../../platform/http/cookies.ts';
import type { ApiEnv, Platform } from '../../platform/http/context.ts';
import { findCallerRow } from './queries.ts';

/** The name of the cookie, and the purpose of its signed mark. */
const NAME = 'console';
/** As long as a session without use (sessions.ts). The session itself is checked each time. */
const MAX_AGE_SEC = 30 * DAY_SEC;

/**
 * Sets the cookie with which this browser may open /operator, since a browser requests pages without an access token.
 * It authorises no call of the API. Call it when a staff account logs in or renews its token.
 */
export function setConsoleCookie(
  context: Context<ApiEnv>,
  { siteUrl, sessionSecret }: Pick<Platform, 'siteUrl' | 'sessionSecret'>,
  { userId, sessionId }: TokenHolder,
): void {
  const signature = keyedHash(sessionSecret, NAME, userId, sessionId);
  const secure = siteUrl.startsWith('https:');
  const options = {
    path: '/operator',
    httpOnly: true,
    sameSite: 'Lax',
    secure,
    maxAge: MAX_AGE_SEC,
  } as const;
  setCookie(context, NAME, `${userId}.${sessionId}.${signature}`, options);
}

/** Whether a `Cookie` header belongs to a session of a staff account that has not ended. */
export async function mayOpenConsole(
  { database, clock, sessionSecret }: Pick<Platform, 'database' | 'clock' | 'sessionSecret'>,
  cookieHeader: string,
): Promise<boolean> {
  for (const value of listCookieValues(cookieHeader, NAME)) {
    const [userId = '', sessionId = '', signature = ''] = value.split('.');
    if (!isKeyedHash(signature, sessionSecret, NAME, userId, sessionId)) continue;
    const row = await findCallerRow(database.db, { userId, sessionId }, clock.now());
    if (row?.is_staff === 1 && row.is_blocked === 0) return true;
  }
  return false;
}
