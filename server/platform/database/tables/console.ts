import { sql } from 'kysely';
import type { Migration } from '../migration.ts';
import { toSoundState, toSoundTitleKey } from './catalogue.ts';

/**
 * Indexes for the console: sounds by their state and by the beginning of the title, what one has earned, members by the
 * reading of their name, and the mails to one; sounds, members and rewards by day.
 */
export const consoleIndexes: Migration = {
  name: '0005-console-indexes',
  async up(db, dialect) {
    const state = sql`(${toSoundState()})`;
    const title = sql`(${toSoundTitleKey(dialect)})`;
    await sql`create index sounds_state on sounds (${state}, seq)`.execute(db);
    await sql`create index sounds_title on sounds (${state}, ${title}, seq)`.execute(db);
    await sql`create index download_credits_sound
      on download_credits (sound_id, state, created_at, yen)`.execute(db);
    await sql`create index users_furigana on users (furigana)`.execute(db);
    await sql`create index mail_outbox_to on mail_outbox (to_address, created_at)`.execute(db);
    await sql`create index sounds_created on sounds (created_at, audio_size)`.execute(db);
    await sql`create index users_created on users (created_at)`.execute(db);
    await sql`create index artist_days_day on artist_days (day, reward_yen)`.execute(db);
  },
};
