import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * Which process decodes a sound and until when, so that two processes never decode the same one; and the decoder
 * version that gave up, so that the staff can list such sounds and a later version retries them.
 */
export const waveformLeases: Migration = {
  name: '0020-waveform-leases',
  async up(db) {
    await sql`alter table unread_waveforms add column state text not null default 'unread'
      check (state in ('unread', 'failed'))`.execute(db);
    await sql`alter table unread_waveforms add column failed_version integer`.execute(db);
    await sql`alter table unread_waveforms add column lease_id text`.execute(db);
    await sql`alter table unread_waveforms add column leased_until bigint`.execute(db);
    // Attempts counted so far, and the sounds given up on, include processes that were killed while decoding.
    await sql`update unread_waveforms set attempts = 0`.execute(db);
    await sql`insert into unread_waveforms (sound_seq)
      select seq from sounds where content_hash is not null
      and not exists (select 1 from sound_findings where sound_findings.sound_seq = sounds.seq)
      and not exists (select 1 from unread_waveforms where unread_waveforms.sound_seq = sounds.seq)`.execute(
      db,
    );
  },
};
