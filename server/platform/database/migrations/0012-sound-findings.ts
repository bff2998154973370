import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Measurements of uploads, and the number of decoding attempts: a sound that crashes the decoder is given up. */
export const soundFindings: Migration = {
  name: '0012-sound-findings',
  async up(db) {
    await sql`alter table unread_waveforms add column attempts integer not null default 0`.execute(db);
    await sql`create table sound_findings (
      sound_seq integer primary key references sounds (seq) on delete cascade,
      silent_head_ms integer not null,
      clips_ms text not null,
      clip_count integer not null,
      is_tail_cut integer not null check (is_tail_cut in (0, 1)),
      loudness_lufs double precision
    )`.execute(db);
  },
};
