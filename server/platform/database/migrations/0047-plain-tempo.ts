import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** A scheduled job indexes every sound again that half or double of its tempo finds, which no longer count. */
export const plainTempo: Migration = {
  name: '0047-plain-tempo',
  async up(db) {
    await sql`insert into unread_sounds (sound_seq)
      select sound_seq from sound_features where effective_bpm >= 140 or effective_bpm <= 80
      on conflict do nothing`.execute(db);
  },
};
