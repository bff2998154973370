/** Changes of what pages show, which every process reads. Deleted within two hours. */
interface PageChangesTable {
  id: string;
  /** By the database's clock (`databaseNow`). */
  at: number;
  /** The process that announced it. */
  process: string;
  /** A JSON array of tags (contract/page-tags.ts); null: all pages. */
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

/** The ids that the marker files of folders must contain (platform/storage/markers.ts). */
interface FolderMarkersTable {
  folder: 'data' | 'files';
  marker: string;
  created_at: number;
}

export interface ProcessesSchema {
  folder_markers: FolderMarkersTable;
  page_changes: PageChangesTable;
  leases: LeasesTable;
}
