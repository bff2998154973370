import type { Selectable } from 'kysely';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import { randomId } from '../../platform/database/statements/random-id.ts';
import type { SessionsTable } from './tables.ts';
import { Problem } from '../../platform/http/problem.ts';
import { mailing, mayMail } from '../../platform/http/mail-budget.ts';
import type { Caller, Platform } from '../../platform/http/context.ts';
import { isWithinLimit } from '../../platform/limits/rate-limits.ts';
import { queueMail } from '../mail/service.ts';
import { deleteExpired } from './expiry.ts';
import { SESSION_ENDED_MAILS } from './limits.ts';
import { toSessionEndedMail } from './mails.ts';
import {
  deleteSession,
  deleteSessionsOf,
  findAccount,
  findCallerRow,
  insertSession,
  lockPasswordHash,
  lockSession,
  updateSession,
} from './queries.ts';
import { hashToken, makeRefreshToken, toNextRefreshToken, toSessionId } from './tokens.ts';
import type { Handle } from '../../platform/database/handle.ts';

const IDLE_MAX_MS = 30 * DAY_MS;
/** Maximum age of a session regardless of use, so that the password is required from time to time. */
export const SESSION_AGE_MAX_MS = 90 * DAY_MS;
/**
 * For this long the previous token still gets the same successor, in case the reply was lost or a second tab sent the
 * same token.
 */
const GRACE_MS = 30_000;

export const SESSION_ENDED_MAILING = mailing(1, 'service');

/** The tokens that the client stores (spec §4). */
export interface SessionTokens {
  readonly access: string;
  readonly refresh: string;
}

/** The member of an access token; undefined when it is invalid or its session or account has ended. */
export async function identify(
  { database, accessTokens, clock }: Pick<Platform, 'database' | 'accessTokens' | 'clock'>,
  accessToken: string,
): Promise<Caller | undefined> {
  const holder = await accessTokens.verify(accessToken);
  if (holder === null) return undefined;
  const row = await findCallerRow(database.db, holder, clock.now());
  return (
    row && {
      id: row.id,
      sessionId: holder.sessionId,
      username: row.username,
      isBlocked: row.is_blocked === 1,
      isVerified: row.is_verified === 1,
      isStaff: row.is_staff === 1,
      authenticatedAt: row.authenticated_at,
      secondFactorAt: row.second_factor_since === null ? null : row.second_factor_at,
    }
  );
}

/**
 * Rejects a change that waited for its lock while the session ended, by an undo or a new password; called under that
 * lock. Throws `Problem` 401.
 */
export async function requireSession(
  transaction: Handle,
  { id, sessionId }: Pick<Caller, 'id' | 'sessionId'>,
  nowMs: number,
): Promise<void> {
  const row = await findCallerRow(transaction, { userId: id, sessionId }, nowMs);
  if (row === undefined) throw new Problem(401, 'ログインしてください。');
}

/**
 * Starts a new session for each log-in, so that earlier tokens are of no use. Returns undefined when the account's
 * password has changed since it was compared: a session started with the old one must not outlive it. `origin` is shown
 * to the staff while the session lasts.
 */
export async function openSession(
  deps: Pick<Platform, 'database' | 'accessTokens' | 'clock'>,
  account: { readonly id: string; readonly password_hash: string | null },
  origin: { readonly device: string; readonly network: string } = { device: '', network: '' },
): Promise<(SessionTokens & { readonly sessionId: string }) | undefined> {
  const { database, clock, accessTokens } = deps;
  const now = clock.now();
  const id = randomId();
  const refresh = makeRefreshToken(id);
  const isOpen = await database.db.transaction().execute(async (transaction: Handle) => {
    const hash = await lockPasswordHash(transaction, account.id);
    if (hash !== account.password_hash) return false;
    await insertSession(transaction, {
      id,
      user_id: account.id,
      token_hash: hashToken(refresh),
      previous_hash: null,
      rotated_at: null,
      created_at: now,
      expires_at: now + IDLE_MAX_MS,
      authenticated_at: now,
      ...origin,
    });
    return true;
  });
  if (!isOpen) return undefined;
  await deleteExpired(database, 'sessions', now);
  const access = await accessTokens.sign({ userId: account.id, sessionId: id });
  return { access, refresh, sessionId: id };
}

/**
 * Exchanges a refresh token for the next one and a new access token. The previous token gets the same successor for 30
 * seconds. An older one means that two parties hold the session, so it ends and the owner is notified (RFC 9700
 * §4.14.2), unless mails to the owner or from the caller's network are at their limit. Throws `Problem` 401 for any
 * other token.
 */
export async function refreshSession(
  deps: Platform,
  refresh: string,
  address: string,
): Promise<SessionTokens> {
  const { database, accessTokens } = deps;
  const sessionId = toSessionId(refresh);
  const exchanged =
    sessionId &&
    (await database.db.transaction().execute(async (transaction: Handle) => {
      const session = await lockSession(transaction, sessionId);
      return session && exchange(deps, transaction, session, refresh, address);
    }));
  if (!exchanged) {
    throw new Problem(401, 'ログインの有効期限が切れました。もう一度ログインしてください。');
  }
  const { userId, next } = exchanged;
  return { access: await accessTokens.sign({ userId, sessionId: exchanged.sessionId }), refresh: next };
}

/**
 * undefined: the token cannot be exchanged; if the session had expired or the token was reused, the session is deleted.
 */
async function exchange(
  deps: Platform,
  transaction: Handle,
  session: Selectable<SessionsTable>,
  refresh: string,
  address: string,
) {
  const now = deps.clock.now();
  const { id, user_id: userId } = session;
  if (session.expires_at <= now) {
    await deleteSession(transaction, id);
    return undefined;
  }
  const presented = hashToken(refresh);
  const next = toNextRefreshToken(deps.sessionSecret, refresh);
  if (presented === session.token_hash) {
    await updateSession(transaction, id, {
      token_hash: hashToken(next),
      previous_hash: presented,
      rotated_at: now,
      expires_at: Math.min(now + IDLE_MAX_MS, session.created_at + SESSION_AGE_MAX_MS),
    });
    return { userId, sessionId: id, next };
  }
  if (presented === session.previous_hash && isInGrace(session.rotated_at, now)) {
    return { userId, sessionId: id, next };
  }
  await deleteSession(transaction, id);
  const owner = await findAccount(transaction, userId);
  const { rateLimits } = deps;
  const isNotified =
    owner !== undefined &&
    (await isWithinLimit(rateLimits, SESSION_ENDED_MAILS, userId)) &&
    (await mayMail(rateLimits, SESSION_ENDED_MAILING, address));
  if (isNotified) await queueMail(transaction, toSessionEndedMail(deps, owner), now, { priority: 'account' });
  return undefined;
}

/** Setting the clock back must not extend the time. */
function isInGrace(rotatedAt: number | null, now: number): boolean {
  return rotatedAt !== null && Math.abs(now - rotatedAt) <= GRACE_MS;
}

/**
 * Ends the session of a refresh token or, without a valid one, the caller's own; `everywhere` ends all sessions of that
 * member. Succeeds for unknown sessions, which have already ended.
 */
export async function endSession(
  { database, clock }: Platform,
  { refresh, everywhere }: { readonly refresh: string; readonly everywhere: boolean },
  caller: Caller | null,
): Promise<void> {
  await database.db.transaction().execute(async (transaction: Handle) => {
    const sessionId = toSessionId(refresh);
    const found = sessionId && (await lockSession(transaction, sessionId));
    const hash = hashToken(refresh);
    const isHolder =
      found && found.expires_at > clock.now() && (found.token_hash === hash || found.previous_hash === hash);
    const session = isHolder
      ? { userId: found.user_id, id: found.id }
      : caller && { userId: caller.id, id: caller.sessionId };
    if (!session) return;
    await (everywhere
      ? deleteSessionsOf(transaction, session.userId)
      : deleteSession(transaction, session.id));
  });
}
