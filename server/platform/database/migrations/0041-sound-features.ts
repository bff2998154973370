import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Tempo, key and comparable numbers of each sound, and the sounds that are still to be measured: all that exist. The
 * effective tempo and key are what the artist says, or else an estimate that is certain enough.
 */
export const soundFeatures: Migration = {
  name: '0041-sound-features',
  async up(db) {
    await sql`create table sound_features (
      sound_seq integer primary key references sounds (seq) on delete cascade,
      version integer,
      numbers text,
      estimated_bpm double precision,
      bpm_confidence double precision,
      estimated_key text,
      key_confidence double precision,
      bpm double precision,
      music_key text,
      effective_bpm double precision,
      effective_key text
    )`.execute(db);
    await sql`create index sound_features_effective_bpm on sound_features (effective_bpm)`.execute(db);
    await sql`create index sound_features_effective_key on sound_features (effective_key)`.execute(db);
    await sql`create table unmeasured_sounds (
      sound_seq integer primary key references sounds (seq) on delete cascade,
      attempts integer not null default 0
    )`.execute(db);
    await sql`insert into unmeasured_sounds (sound_seq) select seq from sounds`.execute(db);
  },
};
