import { sql } from 'kysely';
import type { Generated } from 'kysely';
import type { Migration } from '../migrations/migration.ts';

/** What a machine last reported of a folder of backups. Files beside the backups are the record; this is a copy. */
interface BackupPlacesTable {
  /** The name of the machine. */
  host: string;
  /** `BACKUP_DIR`; '' for backups that are made by command without it. */
  folder: string;
  /** Null: by command only. */
  every_hours: number | null;
  /** JSON, see `BackupStateSchema` (features/backups/status.ts). */
  state: Generated<string>;
  /** When the list of erasures in the folder was last complete. */
  erasures_at: number | null;
  /** Why it could not be completed since. */
  erasures_fault: string | null;
  /** By the clock of the machine; 0 after a restore. */
  seen_at: number;
}

export interface BackupPlaceTables {
  backup_places: BackupPlacesTable;
}

/** The folders of backups, for machines that do not have them. */
export const backupPlaces: Migration = {
  name: '0014-backup-places',
  async up(db) {
    await sql`create table backup_places (
      host text not null,
      folder text not null,
      every_hours integer,
      state text not null default '{}',
      erasures_at bigint,
      erasures_fault text,
      seen_at bigint not null,
      primary key (host, folder)
    )`.execute(db);
    await sql`create index backup_places_seen_at on backup_places (seen_at)`.execute(db);
  },
};
