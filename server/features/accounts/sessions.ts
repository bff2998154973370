import type { Kysely, Selectable } from 'kysely';
import { randomId } from '../../platform/database/database.ts';
import type { Schema, SessionsTable } from '../../platform/database/database.ts';
import { Problem } from '../../platform/http/http.ts';
import type { Caller, Platform } from '../../platform/http/http.ts';
import { queueMail } from '../mail/mail.ts';
import { deleteExpired } from './expiry.ts';
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

const DAY_MS = 86_400_000;
const IDLE_MAX_MS = 30 * DAY_MS;
/** However much it is used, once in a while the password is asked for. */
const AGE_MAX_MS = 90 * DAY_MS;
/** So long the token just exchanged still gets its successor: the answer was lost, or a second tab asked too. */
const GRACE_MS = 30_000;

/** What spec §4 has the client keep. */
export interface SessionTokens {
  readonly access: string;
  readonly refresh: string;
}

/** The member whom an access token is for; undefined when it is not valid, or the session or account has ended. */
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
    }
  );
}

/**
 * Begins a session of its own for each log-in: what was known before it is worth nothing after.
 * Undefined when the account has another password by now than the one that was compared: a session
 * begun with the old one must not outlive it.
 */
export async function openSession(
  deps: Platform,
  account: { readonly id: string; readonly password_hash: string | null },
): Promise<SessionTokens | undefined> {
  const { database, clock, accessTokens } = deps;
  const now = clock.now();
  const id = randomId();
  const refresh = makeRefreshToken(id);
  const isOpen = await database.db.transaction().execute(async (transaction) => {
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
    });
    return true;
  });
  if (!isOpen) return undefined;
  await deleteExpired(database, 'sessions', now);
  return { access: await accessTokens.sign({ userId: account.id, sessionId: id }), refresh };
}

/**
 * Exchanges a refresh token for the next one and a new access token. The one before gets the same
 * successor for 30 seconds; with any older one two have got hold of the session, so it ends and the
 * owner is told (RFC 9700 §4.14.2). Throws `Problem` 401 for what cannot be exchanged.
 */
export async function refreshSession(deps: Platform, refresh: string): Promise<SessionTokens> {
  const { database, accessTokens } = deps;
  const sessionId = toSessionId(refresh);
  const exchanged =
    sessionId &&
    (await database.db.transaction().execute(async (transaction) => {
      const session = await lockSession(transaction, sessionId);
      return session && exchange(deps, transaction, session, refresh);
    }));
  if (!exchanged) {
    throw new Problem(401, 'ログインの有効期限が切れました。もう一度ログインしてください。');
  }
  const { userId, next } = exchanged;
  return { access: await accessTokens.sign({ userId, sessionId: exchanged.sessionId }), refresh: next };
}

/** Undefined: the token is worth nothing, and the session, should it have ended, is gone. */
async function exchange(
  deps: Platform,
  transaction: Kysely<Schema>,
  session: Selectable<SessionsTable>,
  refresh: string,
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
      expires_at: Math.min(now + IDLE_MAX_MS, session.created_at + AGE_MAX_MS),
    });
    return { userId, sessionId: id, next };
  }
  if (presented === session.previous_hash && isInGrace(session.rotated_at, now)) {
    return { userId, sessionId: id, next };
  }
  await deleteSession(transaction, id);
  const owner = await findAccount(transaction, userId);
  if (owner) await queueMail(transaction, toSessionEndedMail(deps, owner), now);
  return undefined;
}

/** A clock that is set back must not make the time longer. */
function isInGrace(rotatedAt: number | null, now: number): boolean {
  return rotatedAt !== null && Math.abs(now - rotatedAt) <= GRACE_MS;
}

/**
 * Ends the session that a refresh token stands for or, without one that holds, the caller's own;
 * `everywhere` all of that member's. What is unknown has ended already.
 */
export async function endSession(
  { database, clock }: Platform,
  { refresh, everywhere }: { readonly refresh: string; readonly everywhere: boolean },
  caller: Caller | null,
): Promise<void> {
  await database.db.transaction().execute(async (transaction) => {
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
