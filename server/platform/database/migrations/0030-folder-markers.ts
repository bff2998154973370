import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * The ids in the marker files of the data folder and the storage folder, so that a start on an unmounted folder is
 * noticed. Existing installations get their markers at the next start.
 */
export const folderMarkers: Migration = {
  name: '0030-folder-markers',
  async up(db) {
    // For look-ups of a picture's members by its key.
    await sql`create index users_picture on users (picture_key) where picture_key is not null`.execute(db);
    await sql`create index users_background on users (background_key) where background_key is not null`.execute(
      db,
    );
    await sql`create table folder_markers (
      folder text primary key check (folder in ('data', 'files')),
      marker text not null,
      created_at bigint not null
    )`.execute(db);
  },
};
