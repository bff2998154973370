import { sql } from 'kysely';
import type { Kysely, Transaction } from 'kysely';
import { firstTables } from './migrations/0001-first-tables.ts';
import { searchIndex } from './migrations/0002-search-index.ts';
import { members } from './migrations/0003-members.ts';
import { rateLimits } from './migrations/0004-rate-limits.ts';
import { books } from './migrations/0005-books.ts';
import { profiles } from './migrations/0006-profiles.ts';
import { personalInfo } from './migrations/0007-personal-info.ts';
import { qualityCheck } from './migrations/0008-quality-check.ts';
import { ownSounds } from './migrations/0009-own-sounds.ts';
import { retiredPictures } from './migrations/0010-retired-pictures.ts';
import { resumableUploads } from './migrations/0011-resumable-uploads.ts';
import { soundFindings } from './migrations/0012-sound-findings.ts';
import { downloads } from './migrations/0013-downloads.ts';
import { statements } from './migrations/0014-statements.ts';
import { reversals } from './migrations/0015-reversals.ts';
import { personalInfoDetails } from './migrations/0016-personal-info-details.ts';
import { soundGaps } from './migrations/0017-sound-gaps.ts';
import { waveformLeases } from './migrations/0020-waveform-leases.ts';
import { accountSafety } from './migrations/0022-account-safety.ts';
import { messageAddress } from './migrations/0023-message-address.ts';
import { takedowns } from './migrations/0024-takedowns.ts';
import { soundTypes } from './migrations/0025-sound-types.ts';
import { rewardCaps } from './migrations/0026-reward-caps.ts';
import { logInProtection } from './migrations/0027-log-in-protection.ts';
import { reports } from './migrations/0029-reports.ts';
import { folderMarkers } from './migrations/0030-folder-markers.ts';
import { reviewDesk } from './migrations/0031-review-desk.ts';
import { retention } from './migrations/0032-retention.ts';
import { secondFactor } from './migrations/0033-second-factor.ts';
import { heldCredits } from './migrations/0034-held-credits.ts';
import { memberSearch } from './migrations/0035-member-search.ts';
import type { DialectName, Migration } from './migration.ts';

export const MIGRATIONS: readonly Migration[] = [
  firstTables,
  searchIndex,
  members,
  rateLimits,
  books,
  profiles,
  personalInfo,
  qualityCheck,
  ownSounds,
  retiredPictures,
  resumableUploads,
  soundFindings,
  downloads,
  statements,
  reversals,
  personalInfoDetails,
  soundGaps,
  waveformLeases,
  accountSafety,
  messageAddress,
  takedowns,
  soundTypes,
  rewardCaps,
  logInProtection,
  reports,
  folderMarkers,
  reviewDesk,
  retention,
  secondFactor,
  heldCredits,
  memberSearch,
];

/** Identifies our lock among all advisory locks of a PostgreSQL database; the number is arbitrary. */
const MIGRATION_LOCK = 5_601_714;

/** The versions of database and program differ; the message says what to do. */
export class DatabaseVersionError extends Error {
  override readonly name = 'DatabaseVersionError';
}

/** For a program that does not migrate: the migrations that the database lacks. */
export function toOutdated(pending: readonly Migration[]): DatabaseVersionError {
  return new DatabaseVersionError(
    `the database is older than this program: it lacks ${pending.map(({ name }) => name).join(', ')}; ` +
      'run "npm run operator -- upgrade", or start the server of this version once (npm start), which migrates it',
  );
}

/** The migrations that the database lacks. Throws `DatabaseVersionError` for a newer one. Reads only. */
export async function findPending(
  db: Kysely<unknown>,
  dialect: DialectName,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const { rows } =
    dialect === 'postgres'
      ? await sql`select 1 as hit where to_regclass('migrations') is not null`.execute(db)
      : await sql`select 1 as hit from sqlite_schema where type = 'table' and name = 'migrations'`.execute(
          db,
        );
  return rows.length === 0 ? migrations : withoutApplied(db, migrations);
}

async function withoutApplied(
  db: Kysely<unknown>,
  migrations: readonly Migration[],
): Promise<readonly Migration[]> {
  const { rows } = await sql<{ name: string }>`select name from migrations`.execute(db);
  const applied = new Set(rows.map((row) => row.name));
  const unknown = [...applied].filter((name) => !migrations.some((migration) => migration.name === name));
  if (unknown.length > 0) {
    throw new DatabaseVersionError(
      `the database is newer than this program: it has ${unknown.join(', ')}; use the program of that version`,
    );
  }
  return migrations.filter((migration) => !applied.has(migration.name));
}

/**
 * Applies all missing migrations in one transaction: after an interruption the database is unchanged, and the next
 * start repeats them. So it is if `verify`, which sees the migrated tables, rejects. Processes that start at the same
 * time wait for each other, and the later ones find nothing to do.
 */
export async function migrate(
  db: Kysely<unknown>,
  dialect: DialectName,
  migrations: readonly Migration[] = MIGRATIONS,
  verify?: (transaction: Kysely<unknown>) => Promise<void>,
): Promise<string[]> {
  return db.transaction().execute(async (transaction) => {
    const applied = await applyMigrations(transaction, dialect, migrations);
    if (applied.length > 0) await verify?.(transaction);
    return applied;
  });
}

/** The same in a transaction of the caller. */
export async function applyMigrations(
  transaction: Transaction<unknown>,
  dialect: DialectName,
  migrations: readonly Migration[],
): Promise<string[]> {
  if (dialect === 'postgres') await sql`select pg_advisory_xact_lock(${MIGRATION_LOCK})`.execute(transaction);
  await sql`create table if not exists migrations (name text primary key, applied_at bigint not null)`.execute(
    transaction,
  );
  const pending = await withoutApplied(transaction, migrations);
  for (const migration of pending) {
    await migration.up(transaction, dialect);
    await sql`insert into migrations (name, applied_at) values (${migration.name}, ${Date.now()})`.execute(
      transaction,
    );
  }
  return pending.map((migration) => migration.name);
}
