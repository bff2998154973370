import type { FeatureMigrations } from '../migrations/migration.ts';

/** The ids that the marker files of folders must contain (platform/storage/markers.ts). */
interface FolderMarkersTable {
  folder: 'data' | 'files';
  marker: string;
  created_at: number;
}

/** Changes of what pages show, which every process reads. Deleted within two hours. */
interface PageChangesTable {
  id: string;
  /** By the database's clock (`databaseNow`). */
  at: number;
  /** The process that announced it. */
  process: string;
  /** A JSON array of tags (contract/site/page-tags.ts); null: all pages. */
  tags: string | null;
}

/** Work that only one process does at a time. */
interface LeasesTable {
  name: string;
  /** A random id of the holder. */
  holder: string;
  /** By the database's clock (`databaseNow`). */
  expires_at: number;
}

/** What processes on one database tell each other. */
export interface ProcessTables {
  folder_markers: FolderMarkersTable;
  page_changes: PageChangesTable;
  leases: LeasesTable;
}

const STATEMENTS = [
  `create table folder_markers (
    folder text primary key check (folder in ('data', 'files')),
    marker text not null,
    created_at bigint not null
  )`,
  `create table page_changes (
    id text primary key,
    at bigint not null,
    process text not null,
    tags text
  )`,
  `create index page_changes_at on page_changes (at)`,
  `create table leases (
    name text primary key,
    holder text not null,
    expires_at bigint not null
  )`,
  `create index leases_expires_at on leases (expires_at)`,
];

/**
 * Counters shared by several processes; a single process counts in memory. The columns are those of
 * rate-limiter-flexible. The table is unlogged: counters are lost in a crash, and each count is cheap.
 */
const COUNTERS = [
  `create unlogged table rate_limits (
    key varchar(255) primary key,
    points integer not null default 0,
    expire bigint
  )`,
  `create index rate_limits_expiry on rate_limits (expire)`,
];

export const processMigrations: FeatureMigrations = {
  baseline: (dialect) => [...STATEMENTS, ...(dialect === 'postgres' ? COUNTERS : [])],
};
