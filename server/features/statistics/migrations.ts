import { sql } from 'kysely';
import type { FeatureMigrations, Migration } from '../../platform/database/migrations/migration.ts';
import { count } from '../../platform/database/tables/parts.ts';
import { toCertifiedSound } from './tables.ts';

/** A further source is a column of a later migration. */
const SOURCES = ['list', 'search', 'similar', 'artist', 'sound', 'embed', 'feed', 'elsewhere'];
const PLAYS = [...SOURCES.map((source) => `from_${source}`), 'downloads'].map(count).join(', ');
const WORD = `month integer not null, word text not null, networks integer not null,
  is_shown integer not null default 0 check (is_shown in (0, 1)), uses integer not null`;
const OF_SOUND = 'sound_seq integer not null references sounds (seq) on delete cascade';

/** Statistics for artists and operators, and indexes for what other tables already record. */
const statistics: Migration = {
  name: '0006-statistics',
  async up(db, dialect) {
    // The rows are in their index; PostgreSQL has no such tables.
    const inIndex = dialect === 'sqlite' ? ' without rowid' : '';
    const statements = [
      `create table sound_days (${OF_SOUND}, day integer not null, ${PLAYS}, primary key (sound_seq, day))${inIndex}`,
      `create index sound_days_day on sound_days (day)`,
      `create table sound_months (${OF_SOUND}, month integer not null, ${PLAYS}, primary key (sound_seq, month))${inIndex}`,
      `create table found_words (${OF_SOUND}, ${WORD}, primary key (sound_seq, month, word))${inIndex}`,
      `create index found_words_shown on found_words (sound_seq, month) where is_shown = 1`,
      `create index found_words_month on found_words (month)`,
      `create table missed_words (${WORD}, primary key (month, word))${inIndex}`,
      `create table word_keys (month integer primary key, secret text not null)`,
      `create index favorites_sound_time on favorites (sound_seq, created_at)`,
      `create index certificates_sound on certificates (${toCertifiedSound(dialect)}, issued_at)`,
    ];
    for (const statement of statements) await sql.raw(statement).execute(db);
  },
};

/** Who used a word by provider, and since when. Column defaults are for processes of the version before. */
const wordOrigins: Migration = {
  name: '0011-word-origins',
  async up(db) {
    for (const table of ['found_words', 'missed_words']) {
      for (const column of ['providers integer', 'first_hour integer'])
        await sql`alter table ${sql.table(table)} add column ${sql.raw(column)} not null default 0`.execute(
          db,
        );
    }
  },
};

export const statisticsMigrations: FeatureMigrations = {
  later: [statistics, wordOrigins],
};
