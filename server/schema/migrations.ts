import { sql } from 'kysely';
import type { DialectName, Migration } from '../platform/database/migrations/migration.ts';
import { erasures, toAccountTables, verifiedDetails } from '../platform/database/tables/accounts.ts';
import { backupPlaces } from '../platform/database/tables/backup-places.ts';
import { toCatalogueTables } from '../platform/database/tables/catalogue.ts';
import { consoleIndexes, consoleTables, decidedPayouts } from '../platform/database/tables/console.ts';
import { DOWNLOAD_TABLES } from '../platform/database/tables/downloads.ts';
import { FILE_TABLES } from '../platform/database/tables/files.ts';
import { toLedgerTables } from '../platform/database/tables/ledger.ts';
import { toProcessTables } from '../platform/database/tables/processes.ts';
import { REPORT_TABLES } from '../platform/database/tables/reports.ts';
import { toReviewTables } from '../platform/database/tables/reviews.ts';
import { readWords, toSearchTables } from '../platform/database/tables/search.ts';
import { SESSION_TABLES } from '../platform/database/tables/sessions.ts';
import { SITE_TABLES, licence, mailBounces, mailOrder } from '../platform/database/tables/site.ts';
import { SOUND_ANALYSIS_TABLES, measureAnew } from '../platform/database/tables/sound-analysis.ts';
import { soundChanges } from '../platform/database/tables/sound-changes.ts';
import { statistics, wordOrigins } from '../platform/database/tables/statistics.ts';
import { uses, usesWithoutMonth } from '../platform/database/tables/uses.ts';
import { toBaseline } from './before-baseline.ts';

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

/** A table comes after those that it refers to. */
function toStatements(dialect: DialectName): readonly string[] {
  return [
    ...toAccountTables(dialect),
    ...SESSION_TABLES,
    ...toCatalogueTables(dialect),
    ...toSearchTables(dialect),
    ...SOUND_ANALYSIS_TABLES,
    ...FILE_TABLES,
    ...toReviewTables(dialect),
    ...toLedgerTables(dialect),
    ...DOWNLOAD_TABLES,
    ...REPORT_TABLES,
    ...SITE_TABLES,
    ...toProcessTables(dialect),
  ];
}

export const MIGRATIONS: readonly Migration[] = [
  tables,
  readWords,
  measureAnew,
  erasures,
  consoleIndexes,
  statistics,
  consoleTables,
  uses,
  usesWithoutMonth,
  licence,
  wordOrigins,
  mailOrder,
  soundChanges,
  backupPlaces,
  mailBounces,
  verifiedDetails,
  decidedPayouts,
];
