export { changeInBatches } from './batches.ts';
export { LAST_CODE_POINT, byCodePoints } from './code-points.ts';
export { asCaller } from './connection-share.ts';
export { classifyFailure, isTransient } from './failure.ts';
export type { DatabaseFailure } from './failure.ts';
export { findOtherSessions, isSqliteInUse } from './in-use.ts';
export { MIGRATIONS } from './migrate.ts';
export type { Migration } from './migration.ts';
export { listPending, openDatabase, openReplica } from './open.ts';
export type { Database, DatabaseAccess, DatabaseLocation } from './open.ts';
export { REPLICA_LAG_MS_MAX, measureReplica, readPublic } from './replica.ts';
export { randomId } from './random-id.ts';
export { cached, invalidateCache } from './cached.ts';
export { databaseNow } from './database-now.ts';
export type { DownloadCreditsTable, DownloadIntentsTable } from './schema-downloads.ts';
export type { LedgerEntriesTable, TransferRequestsTable } from './schema-ledger.ts';
export type { NoticesTable } from './schema-notices.ts';
export type { AddressChangesTable, FormerUsernamesTable, UnindexedArtistsTable } from './schema-profiles.ts';
export type { ReportEventsTable, ReportsTable } from './schema-reports.ts';
export type {
  ContactMessagesTable,
  ExtraPagesTable,
  Flag,
  MailOutboxTable,
  PasswordResetsTable,
  PersonalInfoStatus,
  RegistrationsTable,
  Schema,
  SessionsTable,
  SoundsTable,
  UsersTable,
} from './schema.ts';
export type { RestoreMark, RestoreState } from './restore-mark.ts';
export { mapTokens } from './search-expression.ts';
export type { SearchExpression } from './search-expression.ts';
export type { RankColumn, RowFilter } from './search-index.ts';
export { toChunkTokens } from './seq-windows.ts';
export {
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
