import type { Insertable } from 'kysely';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import { exists } from '../../platform/database/statements/outcomes.ts';
import type { RegistrationsTable, Db } from './tables.ts';

const NAME_RESERVED_MS = DAY_MS;

export async function insertRegistration(db: Db, row: Insertable<RegistrationsTable>): Promise<void> {
  await db.insertInto('registrations').values(row).execute();
}

/** Whether a member has this name or one that looks like it. */
export async function hasMemberNamed(db: Db, usernameKey: string, skeleton: string): Promise<boolean> {
  return exists(
    db
      .selectFrom('users')
      .select('id')
      .where((where) =>
        where.or([where('username_key', '=', usernameKey), where('username_skeleton', '=', skeleton)]),
      )
      .limit(1),
  );
}

/**
 * Whether a registration of another e-mail address reserves a name that looks like this one. Names are reserved for 24
 * hours, even when the link is mailed again: a longer time would disclose that the address has no account.
 */
export async function isNameReserved(
  db: Db,
  skeleton: string,
  emailKey: string,
  nowMs: number,
): Promise<boolean> {
  return exists(
    db
      .selectFrom('registrations')
      .select('id')
      .where('username_skeleton', '=', skeleton)
      .where('email_key', '!=', emailKey)
      .where('created_at', '>', nowMs - NAME_RESERVED_MS)
      .limit(1),
  );
}

/** A registration that has not expired. */
export function findRegistration(db: Db, id: string, nowMs: number) {
  return db
    .selectFrom('registrations')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', nowMs)
    .executeTakeFirst();
}

/** The newest registration that can still be confirmed. */
export function findNewestRegistration(db: Db, emailKey: string, nowMs: number) {
  return db
    .selectFrom('registrations')
    .select(['id', 'email', 'password_hash'])
    .where('email_key', '=', emailKey)
    .where('password_hash', '!=', '')
    .where('expires_at', '>', nowMs)
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Makes all of them unconfirmable. The rows stay until they expire because they hold their names. */
export async function endRegistrations(db: Db, emailKey: string): Promise<void> {
  await db
    .updateTable('registrations')
    .set({ password_hash: '' })
    .where('email_key', '=', emailKey)
    .execute();
}

/** Extends the time until which a registration can be confirmed. */
export async function extendRegistration(db: Db, id: string, expires_at: number): Promise<void> {
  await db.updateTable('registrations').set({ expires_at }).where('id', '=', id).execute();
}
