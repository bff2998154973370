import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * What artists upload. A file is recorded before it is stored until its row exists, and again before its row is deleted
 * until the file is gone: a crash leaves no unrecorded file.
 */
export const ownSounds: Migration = {
  name: '0009-own-sounds',
  async up(db) {
    for (const statement of STATEMENTS) await sql.raw(statement).execute(db);
  },
};

const STATEMENTS = [
  `alter table sounds add column content_hash text`,
  `create unique index sounds_artist_content on sounds (artist_id, content_hash)`,
  `create index sounds_content on sounds (content_hash)`,
  `create index sounds_audio on sounds (audio_key)`,
  `create index sounds_thumbnail on sounds (thumbnail_key)`,
  `create table unclaimed_files (
    file_key text primary key,
    kind text not null check (kind in ('sound', 'thumbnail')),
    is_doomed integer not null check (is_doomed in (0, 1)),
    noted_at bigint not null
  )`,
  `create index unclaimed_files_age on unclaimed_files (is_doomed, noted_at)`,
  `create table unread_waveforms (
    sound_seq integer primary key references sounds (seq) on delete cascade
  )`,
  `create table sound_copies (
    sound_id text primary key,
    artist_id text not null,
    original_id text not null,
    original_artist_id text not null,
    noted_at bigint not null
  )`,
];
