import type { Kysely } from 'kysely';
import type { Handle } from './handle.ts';
import type { AccountTables } from './tables/accounts.ts';
import type { BackupPlaceTables } from './tables/backup-places.ts';
import type { CatalogueTables } from './tables/catalogue.ts';
import type { DownloadTables } from './tables/downloads.ts';
import type { FileTables } from './tables/files.ts';
import type { LedgerTables } from './tables/ledger.ts';
import type { ProcessTables } from './tables/processes.ts';
import type { ReportTables } from './tables/reports.ts';
import type { ReviewTables } from './tables/reviews.ts';
import type { SearchTables } from './tables/search.ts';
import type { SessionTables } from './tables/sessions.ts';
import type { SiteTables } from './tables/site.ts';
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

/** Every table, for programs beside the server: tests, benchmarks, the demo. Features query what their `tables.ts` names. */
export const everyTable = (db: Handle): Kysely<Schema> => db;
