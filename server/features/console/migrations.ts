import { sql } from 'kysely';
import type { FeatureMigrations, Migration } from '../../platform/database/migrations/migration.ts';
import { toEmailDomain } from '../accounts/tables.ts';
import { toSoundState, toSoundTitleKey } from '../catalogue/tables.ts';

/**
 * Indexes for the console: sounds by their state and by the beginning of the title, what one has earned, members by the
 * reading of their name, and the mails to one; sounds, members and rewards by day.
 */
const consoleIndexes: Migration = {
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

/**
 * Announcements, of which pages read those that have not ended; mails and actions of the staff by their result; where a
 * session began; members by the domain of their address.
 */
const consoleTables: Migration = {
  name: '0007-console',
  async up(db, dialect) {
    await sql`create table announcements (
      id text primary key,
      text text not null,
      link text,
      audience text not null check (audience in ('everyone', 'members')),
      begins_at bigint not null,
      ends_at bigint not null,
      updated_at bigint not null,
      check (ends_at > begins_at)
    )`.execute(db);
    await sql`create index announcements_end on announcements (ends_at)`.execute(db);
    await sql`create index mail_outbox_result on mail_outbox (state, finished_at)`.execute(db);
    await sql`create index operator_actions_action on operator_actions (action, at)`.execute(db);
    await sql`alter table sessions add column device text not null default ''`.execute(db);
    await sql`alter table sessions add column network text not null default ''`.execute(db);
    await sql`create index users_email_domain
      on users ((${toEmailDomain(dialect)}), email_key, id, deleted_at)`.execute(db);
  },
};

export const consoleMigrations: FeatureMigrations = {
  later: [consoleIndexes, consoleTables],
};
