import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** Longest padding by which the measured and the stored length of a sound differed. */
const PADDING_MS = 150;

/**
 * Complete silence becomes a finding of its own. Previously it was derived from length alone, which was wrong for short
 * effects that start late. Sounds that may have been misjudged are measured again. Gaps are detected from the upload
 * on.
 */
export const soundGaps: Migration = {
  name: '0017-sound-gaps',
  async up(db) {
    await sql`alter table sounds add column gaps_ms text`.execute(db);
    await sql`alter table sound_findings add column is_silent integer not null default 0
      check (is_silent in (0, 1))`.execute(db);
    await sql`insert into unread_waveforms (sound_seq)
      select sound_findings.sound_seq from sound_findings
      inner join sounds on sounds.seq = sound_findings.sound_seq
      where silent_head_ms > 0 and silent_head_ms + ${sql.lit(PADDING_MS)} >= duration_ms
      and sound_findings.sound_seq not in (select sound_seq from unread_waveforms)`.execute(db);
  },
};
