import type { Insertable, Selectable, Updateable } from 'kysely';
import { changesRows, countChanged } from '../../platform/database/statements/outcomes.ts';
import type { UsersTable, PasswordResetsTable, SessionsTable, Db } from './tables.ts';
import type { TokenHolder } from '../../platform/crypto/access-tokens.ts';

const SESSIONS_LISTED_MAX = 50;

/**
 * The data that every call of a member needs; undefined unless both the account and the session exist. An account that
 * is being deleted has no callers.
 */
export function findCallerRow(db: Db, { userId, sessionId }: TokenHolder, nowMs: number) {
  return db
    .selectFrom('sessions')
    .innerJoin('users', 'users.id', 'sessions.user_id')
    .select(['users.id', 'users.username', 'users.is_blocked', 'users.is_verified', 'users.is_staff'])
    .select(['sessions.authenticated_at', 'sessions.second_factor_at'])
    .select((eb) =>
      eb
        .selectFrom('second_factors')
        .select('confirmed_at')
        .whereRef('second_factors.user_id', '=', 'users.id')
        .as('second_factor_since'),
    )
    .where('sessions.id', '=', sessionId)
    .where('sessions.expires_at', '>', nowMs)
    .where('users.id', '=', userId)
    .where('users.deletion_requested_at', 'is', null)
    .executeTakeFirst();
}

export function findAccountByEmail(db: Db, emailKey: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'picture_key', 'password_hash', 'is_staff'])
    .select('deletion_requested_at')
    .where('email_key', '=', emailKey)
    .executeTakeFirst();
}

export function findAccount(db: Db, userId: string) {
  return db
    .selectFrom('users')
    .select(['id', 'username', 'email', 'email_key'])
    .where('id', '=', userId)
    .executeTakeFirst();
}

export async function findPasswordHash(db: Db, userId: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .executeTakeFirst();
  return row?.password_hash;
}

export async function updatePasswordHash(db: Db, userId: string, password_hash: string): Promise<void> {
  await db.updateTable('users').set({ password_hash }).where('id', '=', userId).execute();
}

/** The current password hash, locked until the transaction ends. */
export async function lockPasswordHash(db: Db, userId: string): Promise<string | null | undefined> {
  const row = await db
    .selectFrom('users')
    .select('password_hash')
    .where('id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row?.password_hash;
}

export async function insertSession(db: Db, session: Insertable<SessionsTable>): Promise<void> {
  await db.insertInto('sessions').values(session).execute();
}

/** The session, locked until the transaction ends. SQLite has a single writer anyway. */
export function lockSession(db: Db, sessionId: string) {
  return db.selectFrom('sessions').selectAll().where('id', '=', sessionId).forUpdate().executeTakeFirst();
}

export async function updateSession(db: Db, id: string, values: Updateable<SessionsTable>): Promise<void> {
  await db.updateTable('sessions').set(values).where('id', '=', id).execute();
}

export async function deleteSession(db: Db, sessionId: string): Promise<void> {
  await db.deleteFrom('sessions').where('id', '=', sessionId).execute();
}

/** Returns how many there were. */
export async function deleteSessionsOf(db: Db, userId: string): Promise<number> {
  return countChanged(db.deleteFrom('sessions').where('user_id', '=', userId));
}

/** Sessions of a member that have not ended, the last used first. Times are epoch ms. */
export async function listSessions(db: Db, userId: string, nowMs: number) {
  const rows = await db
    .selectFrom('sessions')
    .select(['created_at as started_at', 'authenticated_at', 'device', 'network'])
    .select(({ fn }) => fn.coalesce('rotated_at', 'created_at').as('used_at'))
    .where('user_id', '=', userId)
    .where('expires_at', '>', nowMs)
    .orderBy('used_at', 'desc')
    .limit(SESSIONS_LISTED_MAX)
    .execute();
  return rows.map((row) => ({ ...row, used_at: Number(row.used_at) }));
}

export async function insertPasswordReset(db: Db, reset: Insertable<PasswordResetsTable>): Promise<void> {
  await db.insertInto('password_resets').values(reset).execute();
}

export async function deleteUnusedPasswordResets(db: Db, userId: string): Promise<void> {
  await db.deleteFrom('password_resets').where('user_id', '=', userId).where('used_at', 'is', null).execute();
}

/** A link that is still valid. */
export function findPasswordReset(db: Db, userId: string, tokenHash: string, nowMs: number) {
  return db
    .selectFrom('password_resets')
    .select('user_id')
    .where('token_hash', '=', tokenHash)
    .where('user_id', '=', userId)
    .where('used_at', 'is', null)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
}

/** Consumes a link. Returns whether it was valid; of concurrent calls, one gets true. */
export async function takePasswordReset(
  db: Db,
  userId: string,
  tokenHash: string,
  nowMs: number,
): Promise<boolean> {
  return changesRows(
    db
      .updateTable('password_resets')
      .set({ used_at: nowMs })
      .where('token_hash', '=', tokenHash)
      .where('user_id', '=', userId)
      .where('used_at', 'is', null),
  );
}

export async function insertUser(db: Db, user: Insertable<UsersTable>): Promise<void> {
  await db.insertInto('users').values(user).execute();
}

/** Whether the row was added; false when a unique value is already taken. */
export async function insertUserUnlessTaken(db: Db, user: Insertable<UsersTable>): Promise<boolean> {
  return changesRows(
    db
      .insertInto('users')
      .values(user)
      .onConflict((on) => on.doNothing()),
  );
}

/** Changes a member's row, for every feature. With `seen`, only while these columns have these values. */
export async function updateMemberRow(
  db: Db,
  id: string,
  values: Updateable<UsersTable>,
  seen: Partial<Selectable<UsersTable>> = {},
): Promise<void> {
  await db
    .updateTable('users')
    .set(values)
    .where((eb) => eb.and({ id, ...seen }))
    .execute();
}
