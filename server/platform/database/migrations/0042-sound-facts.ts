import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/**
 * What artists say about a sound. A scheduled job indexes every sound again, because the index now has lengths. Lists
 * are words with spaces between them; null and '' mean that the artist has not answered.
 */
export const soundFacts: Migration = {
  name: '0042-sound-facts',
  async up(db) {
    await sql`alter table sounds add column is_loopable integer not null default 0`.execute(db);
    await sql`alter table sounds add column has_vocals integer`.execute(db);
    await sql`alter table sounds add column moods text not null default ''`.execute(db);
    await sql`alter table sounds add column licence_uses text not null default ''`.execute(db);
    await sql`alter table sounds add column content_id text`.execute(db);
    await sql`insert into unread_sounds (sound_seq)
      select seq from sounds where true on conflict do nothing`.execute(db);
  },
};
