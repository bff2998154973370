import type { Insertable } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';
import type { Db } from './tables.ts';

export function findCertificate(db: Db, id: string) {
  return db.selectFrom('certificates').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insertCertificate(db: Db, row: Insertable<Schema['certificates']>): Promise<void> {
  await db.insertInto('certificates').values(row).execute();
}

/** A member's certificates, newest first. */
export function selectCertificatesOf(
  db: Db,
  userId: string,
  { limit, offset }: { readonly limit: number; readonly offset: number },
) {
  return db
    .selectFrom('certificates')
    .select(['id', 'body'])
    .where('user_id', '=', userId)
    .orderBy('issued_at', 'desc')
    .orderBy('id', 'desc')
    .limit(limit)
    .offset(offset)
    .execute();
}

/** The facts of a sound for a certificate; undefined for one that is not public. */
export function findPublicSound(db: Db, soundId: string) {
  return db
    .selectFrom('sounds')
    .innerJoin('users', 'users.id', 'sounds.artist_id')
    .select([
      'sounds.title',
      'sounds.audio_key',
      'sounds.audio_size',
      'sounds.content_hash',
      'sounds.content_id',
      'sounds.licence_uses',
      'users.username',
    ])
    .where('sounds.id', '=', soundId)
    .where('sounds.is_published', '=', 1)
    .executeTakeFirst();
}

export function findLicence(db: Db, hash: string) {
  return db.selectFrom('licences').selectAll().where('hash', '=', hash).executeTakeFirst();
}

/** Adds terms of use; those that are there stay. */
export async function insertLicence(db: Db, row: Insertable<Schema['licences']>): Promise<void> {
  await db
    .insertInto('licences')
    .values(row)
    .onConflict((on) => on.column('hash').doNothing())
    .execute();
}

export function selectKeys(db: Db) {
  return db.selectFrom('certificate_keys').selectAll().orderBy('created_at').orderBy('id').execute();
}

/** Adds a public key; one that is there stays. */
export async function insertKey(db: Db, row: Insertable<Schema['certificate_keys']>): Promise<void> {
  await db
    .insertInto('certificate_keys')
    .values(row)
    .onConflict((on) => on.column('id').doNothing())
    .execute();
}
