export { changeInBatches } from './batches.ts';
export { deleteOlder, deleteSomeOlder } from './delete-older.ts';
export type { OlderRows } from './delete-older.ts';
export { LAST_CODE_POINT, byCodePoints } from './code-points.ts';
export { asCaller } from './connection-share.ts';
export { classifyFailure, isRefused, isTransient, isUnusableAddress } from './failure.ts';
export type { DatabaseFailure } from './failure.ts';
export { findOtherSessions, isSqliteInUse } from './in-use.ts';
export { changesRows, countChanged, exists } from './outcomes.ts';
export { MIGRATIONS } from './migrate.ts';
export type { Migration } from './migration.ts';
export { listPending, openDatabase, openReplica } from './open.ts';
export type { Database, DatabaseAccess, DatabaseLocation } from './open.ts';
export { REPLICA_LAG_MS_MAX, measureReplica, readPublic } from './replica.ts';
export { isId, randomId } from './random-id.ts';
export { cached, invalidateCache } from './cached.ts';
export { databaseNow } from './database-now.ts';
export type { Schema } from './schema.ts';
export type {
  AddressChangesTable,
  FormerUsernamesTable,
  PersonalInfoStatus,
  RegistrationsTable,
  UsersTable,
} from './tables/accounts.ts';
export { toEmailDomain } from './tables/accounts.ts';
export { toSoundState, toSoundTitleKey } from './tables/catalogue.ts';
export type { SoundsTable } from './tables/catalogue.ts';
export type { DownloadCreditsTable, DownloadIntentsTable } from './tables/downloads.ts';
export type { LedgerEntriesTable, TransferRequestsTable } from './tables/ledger.ts';
export { toList } from './tables/parts.ts';
export type { Flag } from './tables/parts.ts';
export type { ReportEventsTable, ReportsTable } from './tables/reports.ts';
export { toCertifiedSound } from './tables/statistics.ts';
export type { UnindexedArtistsTable } from './tables/search.ts';
export type { PasswordResetsTable, SessionsTable } from './tables/sessions.ts';
export type { ContactMessagesTable, ExtraPagesTable, MailOutboxTable, NoticesTable } from './tables/site.ts';
export type { UsesTable } from './tables/uses.ts';
export type { RestoreMark, RestoreState } from './restore-mark.ts';
export { mapTokens } from './search-expression.ts';
export type { SearchExpression } from './search-expression.ts';
export type { RankColumn, RankOrder, RowFilter } from './search-index.ts';
export { toChunkTokens } from './seq-windows.ts';
export {
  changeRestored,
  compareRows,
  dropRestoreMark,
  findUnknownMigrations,
  isEmptyDatabase,
  measureCopy,
  readRestoreMark,
  restoreSnapshot,
  withSnapshot,
  writeRestoreMark,
} from './snapshot.ts';
export { checkCopy } from './snapshot-check.ts';
export { compareSchema } from './schema-comparison.ts';
export type { SchemaDifference } from './schema-comparison.ts';
export { isUniqueViolation } from './unique-violation.ts';
export { measureDatabase } from './size.ts';
export { inWindows } from './windows.ts';
export { listDatabaseMetrics } from './metrics.ts';
