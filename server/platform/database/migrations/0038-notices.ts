import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** The operator's pictures and videos before downloads, which were a folder, and which folders were imported. */
export const notices: Migration = {
  name: '0038-notices',
  async up(db) {
    await sql`create table notices (
      id text primary key,
      state text not null,
      state_since bigint not null,
      position integer not null,
      kind text not null,
      file_hash text not null,
      file_ending text not null,
      file_size bigint not null,
      captions_hash text,
      captions_size bigint,
      text text not null,
      link text,
      seconds double precision not null,
      shown_from text not null,
      shown_until text not null
    )`.execute(db);
    await sql`create table notice_imports (
      source text primary key,
      imported_at bigint not null
    )`.execute(db);
  },
};
