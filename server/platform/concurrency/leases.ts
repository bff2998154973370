import type { Kysely } from 'kysely';
import { DAY_MS } from '../../../contract/values/time-units.ts';
import type { Handle } from '../database/handle.ts';
import type { Schema } from '../database/schema.ts';
import { databaseNow } from '../database/drivers/database-now.ts';
import { exists } from '../database/statements/outcomes.ts';
import { randomId } from '../database/statements/random-id.ts';
import type { Database } from '../database/open.ts';
import type { Log } from '../log.ts';

type LeaseDatabase = Pick<Database, 'db' | 'dialect'>;

const own = (db: Handle): Kysely<Pick<Schema, 'leases'>> => db;

/** A process that has not renewed its lease for this long is assumed dead. */
const LEASE_MS = 60_000;
const RENEW_EVERY_MS = LEASE_MS / 3;
/** Leases that killed processes left are deleted after this time. */
const RETENTION_MS = DAY_MS;

/**
 * Takes or renews the lease `name` for `leaseMs`. Returns false while another holder has it. All times are those of the
 * database.
 */
export async function takeLease(
  database: LeaseDatabase,
  name: string,
  holder: string,
  leaseMs: number,
): Promise<boolean> {
  const now = databaseNow(database);
  return exists(
    own(database.db)
      .insertInto('leases')
      .values((eb) => ({ name, holder, expires_at: eb(now, '+', leaseMs) }))
      .onConflict((conflict) =>
        conflict
          .column('name')
          .doUpdateSet((eb) => ({
            holder: eb.ref('excluded.holder'),
            expires_at: eb.ref('excluded.expires_at'),
          }))
          .where((eb) => eb.or([eb('leases.holder', '=', holder), eb('leases.expires_at', '<=', now)])),
      )
      .returning('holder'),
  );
}

/** Whether `takeLease` may succeed. Reads only, so that those who wait for a lease take no write lock. */
export async function isLeaseFree(database: LeaseDatabase, name: string): Promise<boolean> {
  const currentLease = await own(database.db)
    .selectFrom('leases')
    .select('name')
    .where('name', '=', name)
    .where('expires_at', '>', databaseNow(database))
    .executeTakeFirst();
  return currentLease === undefined;
}

/** Ends a lease before its time. Has no effect if another holder has it. */
export async function endLease({ db }: LeaseDatabase, name: string, holder: string): Promise<void> {
  await own(db).deleteFrom('leases').where('name', '=', name).where('holder', '=', holder).execute();
}

/**
 * Calls `work` unless another call, in any process, holds the lease. Renews it until `work` ends. Returns whether it
 * was called. Two may overlap when the database did not answer for a minute, so `work` must allow that. Throws when the
 * lease cannot be asked for, and what `work` throws.
 */
export async function withLease(
  database: LeaseDatabase,
  log: Log,
  name: string,
  work: () => Promise<void>,
): Promise<boolean> {
  const holder = randomId();
  if (!(await takeLease(database, name, holder, LEASE_MS))) return false;
  const warn = (error: unknown) => log.warn({ err: error, lease: name }, 'failed to renew or end a lease');
  const renewing = setInterval(() => {
    takeLease(database, name, holder, LEASE_MS).catch(warn);
  }, RENEW_EVERY_MS);
  renewing.unref();
  try {
    await work();
  } finally {
    clearInterval(renewing);
    await endLease(database, name, holder).catch(warn);
  }
  return true;
}

/** Deletes the leases of processes that were killed long ago. */
export async function deleteOldLeases(database: LeaseDatabase): Promise<void> {
  await own(database.db)
    .deleteFrom('leases')
    .where((eb) => eb('expires_at', '<', eb(databaseNow(database), '-', RETENTION_MS)))
    .execute();
}
