import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Files that are sent in pieces, and their results. No reference to sounds: a sound can be deleted before its record
 * here.
 */
export const resumableUploads: Migration = {
  name: '0011-resumable-uploads',
  async up(db) {
    await sql`create table resumable_uploads (
      id text primary key,
      user_id text not null references users (id) on delete cascade,
      size_bytes bigint not null check (size_bytes > 0),
      metadata text not null,
      sound_id text,
      created_at bigint not null
    )`.execute(db);
    await sql`create index resumable_uploads_user on resumable_uploads (user_id, created_at)`.execute(db);
    await sql`create index resumable_uploads_age on resumable_uploads (created_at)`.execute(db);
  },
};
