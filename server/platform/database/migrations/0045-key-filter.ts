import { sql } from 'kysely';
import type { Migration } from '../migration.ts';

/** A scheduled job indexes every sound with a known key again, because the index now has keys. */
export const keyFilter: Migration = {
  name: '0045-key-filter',
  async up(db) {
    await sql`insert into unread_sounds (sound_seq)
      select sound_seq from sound_features where effective_key is not null on conflict do nothing`.execute(
      db,
    );
  },
};
