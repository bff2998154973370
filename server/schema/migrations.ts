import { sql } from 'kysely';
import { accountMigrations } from '../features/accounts/migrations.ts';
import { backupMigrations } from '../features/backups/migrations.ts';
import { catalogueMigrations } from '../features/catalogue/migrations.ts';
import { certificateMigrations } from '../features/certificates/migrations.ts';
import { consoleMigrations } from '../features/console/migrations.ts';
import { downloadMigrations } from '../features/downloads/migrations.ts';
import { ledgerMigrations } from '../features/ledger/migrations.ts';
import { mailMigrations } from '../features/mail/migrations.ts';
import { messageMigrations } from '../features/messages/migrations.ts';
import { mySoundMigrations } from '../features/my-sounds/migrations.ts';
import { noticeMigrations } from '../features/notices/migrations.ts';
import { pictureMigrations } from '../features/pictures/migrations.ts';
import { reportMigrations } from '../features/reports/migrations.ts';
import { reviewMigrations } from '../features/reviews/migrations.ts';
import { siteMigrations } from '../features/site/migrations.ts';
import { staffMigrations } from '../features/staff/migrations.ts';
import { statisticsMigrations } from '../features/statistics/migrations.ts';
import { useMigrations } from '../features/uses/migrations.ts';
import { visitorMigrations } from '../features/visitors/migrations.ts';
import type { DialectName, FeatureMigrations, Migration } from '../platform/database/migrations/migration.ts';
import { processMigrations } from '../platform/database/tables/processes.ts';
import { searchIndexMigrations } from '../platform/database/tables/search-index.ts';
import { toBaseline } from './before-baseline.ts';

/** What has tables: each is a line here. A table of the first migration comes after those that it refers to. */
const OWNERS: readonly FeatureMigrations[] = [
  accountMigrations,
  catalogueMigrations,
  searchIndexMigrations,
  mySoundMigrations,
  pictureMigrations,
  staffMigrations,
  reviewMigrations,
  ledgerMigrations,
  visitorMigrations,
  downloadMigrations,
  certificateMigrations,
  reportMigrations,
  siteMigrations,
  noticeMigrations,
  messageMigrations,
  mailMigrations,
  backupMigrations,
  consoleMigrations,
  statisticsMigrations,
  useMigrations,
  processMigrations,
];

/**
 * The tables of an empty database, and the rows that every site begins with. Changes are migrations of their own from
 * here on, and only add (decision 106).
 */
const tables: Migration = {
  name: '0001-tables',
  async up(db, dialect) {
    for (const statement of toStatements(dialect)) await sql.raw(statement).execute(db);
  },
  toReplacement: (applied) => toBaseline(applied, tables.name, toStatements),
};

function toStatements(dialect: DialectName): readonly string[] {
  return OWNERS.flatMap((owner) => owner.baseline?.(dialect) ?? []);
}

/** The migrations of the site, in the order of their names. */
export const MIGRATIONS: readonly Migration[] = [
  tables,
  ...OWNERS.flatMap(({ later = [] }) => later).toSorted((a, b) => a.name.localeCompare(b.name, 'en')),
];
