import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Sounds that their artists deleted stay for a while, so that a mailed link can bring them back. An artist may upload
 * the same file again meanwhile; uploads of an artist are compared one at a time, without a unique index. A link of
 * deletions names the mail that waits for further ones.
 */
export const deletedSounds: Migration = {
  name: '0051-deleted-sounds',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `alter table sounds add column deleted_at bigint`,
  `create index sounds_deleted on sounds (artist_id, deleted_at) where deleted_at is not null`,
  `drop index sounds_artist_content`,
  `create index sounds_artist_content on sounds (artist_id, content_hash)`,
  `alter table undo_links add column mail_id text`,
];
