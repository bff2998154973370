import type { Generated, Kysely } from 'kysely';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

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

/** Accounts and sounds that were erased, until the list beside the backups has forgotten them too. */
interface ErasuresTable {
  id: string;
  kind: 'account' | 'sound';
  erased_at: number;
}

interface BackupTables {
  backup_places: BackupPlacesTable;
  erasures: ErasuresTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends BackupTables {}
}

type Others = ReadOnly<Pick<Schema, 'sounds' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<BackupTables & Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
