import { sql } from 'kysely';
import type { Kysely } from 'kysely';
import type { Handle } from './handle.ts';
import type { Migration } from './migrations/migration.ts';
import { toAccountTables } from './tables/accounts.ts';
import type { AccountTables } from './tables/accounts.ts';
import type { BackupPlaceTables } from './tables/backup-places.ts';
import { toCatalogueTables } from './tables/catalogue.ts';
import type { CatalogueTables } from './tables/catalogue.ts';
import { DOWNLOAD_TABLES } from './tables/downloads.ts';
import type { DownloadTables } from './tables/downloads.ts';
import { FILE_TABLES } from './tables/files.ts';
import type { FileTables } from './tables/files.ts';
import { toLedgerTables } from './tables/ledger.ts';
import type { LedgerTables } from './tables/ledger.ts';
import { toProcessTables } from './tables/processes.ts';
import type { ProcessTables } from './tables/processes.ts';
import { REPORT_TABLES } from './tables/reports.ts';
import type { ReportTables } from './tables/reports.ts';
import { toReviewTables } from './tables/reviews.ts';
import type { ReviewTables } from './tables/reviews.ts';
import { toSearchTables } from './tables/search.ts';
import type { SearchTables } from './tables/search.ts';
import { SESSION_TABLES } from './tables/sessions.ts';
import type { SessionTables } from './tables/sessions.ts';
import { SITE_TABLES } from './tables/site.ts';
import type { SiteTables } from './tables/site.ts';
import { SOUND_ANALYSIS_TABLES } from './tables/sound-analysis.ts';
import type { SoundAnalysisTables } from './tables/sound-analysis.ts';
import type { SoundChangeTables } from './tables/sound-changes.ts';
import type { StatisticsTables } from './tables/statistics.ts';
import type { UseTables } from './tables/uses.ts';

export interface Schema
  extends
    AccountTables,
    BackupPlaceTables,
    CatalogueTables,
    DownloadTables,
    FileTables,
    LedgerTables,
    ProcessTables,
    ReportTables,
    ReviewTables,
    SearchTables,
    SessionTables,
    SiteTables,
    SoundAnalysisTables,
    SoundChangeTables,
    StatisticsTables,
    UseTables {}

/**
 * The tables of an empty database, and the rows that every site begins with. Changes are migrations of their own from
 * here on, and only add (decision 106).
 */
export const tables: Migration = {
  name: '0001-tables',
  async up(db, dialect) {
    // A table comes after those that it refers to.
    const statements = [
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
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/** Every table, for programs beside the server: tests, benchmarks, the demo. Features query what their `tables.ts` names. */
export const everyTable = (db: Handle): Kysely<Schema> => db;
