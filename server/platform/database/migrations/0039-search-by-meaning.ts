import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * How the words of a sound are read, which a scheduled job finds out for every sound, and the operator's synonyms. A
 * sound that an older version changes meanwhile keeps the readings that it had.
 */
export const searchByMeaning: Migration = {
  name: '0039-search-by-meaning',
  async up(db) {
    await sql`create table sound_readings (
      sound_seq integer primary key references sounds (seq) on delete cascade,
      source_hash text not null,
      name_tokens text not null,
      text_tokens text not null
    )`.execute(db);
    await sql`create table unread_sounds (
      sound_seq integer primary key references sounds (seq) on delete cascade
    )`.execute(db);
    await sql`insert into unread_sounds (sound_seq) select seq from sounds`.execute(db);
    await sql`create table search_synonyms (
      id text primary key,
      words text not null,
      created_at bigint not null
    )`.execute(db);
  },
};
