import { sql } from 'kysely';
import type { Generated } from 'kysely';
import type { PlaySource } from '../../../../contract/plays.ts';
import type { DialectName, Migration } from '../migrations/migration.ts';
import { count } from './parts.ts';
import type { Flag } from './parts.ts';

/** Plays by where they began, and downloads. */
type Plays = { readonly [Source in PlaySource as `from_${Source}`]: Generated<number> } & {
  /** Counted downloads, as in the public count of the sound. */
  readonly downloads: Generated<number>;
};

/** What was counted of a sound on one day (`toDay`). */
export type SoundDaysTable = Plays & { readonly sound_seq: number; readonly day: number };

/** The same of a month, by the day on which it begins. Everything is counted in both tables. */
export type SoundMonthsTable = Plays & { readonly sound_seq: number; readonly month: number };

/** A word of a month. */
interface Word {
  /** The day on which it begins. */
  readonly month: number;
  /** The search in one spelling. */
  readonly word: string;
  /** One of 31 bits for each network, chosen by a hash whose key is deleted with the month. */
  readonly networks: number;
  /** The same for each provider. */
  readonly providers: Generated<number>;
  /** The hour of its first use, since the epoch: no exact time of a visitor. 0 in rows of earlier versions. */
  readonly first_hour: Generated<number>;
  /** 1: enough networks have used it. */
  readonly is_shown: Generated<Flag>;
  readonly uses: number;
}

/** Searches by which a sound was found and then played. */
export type FoundWordsTable = Word & { readonly sound_seq: number };

/** Searches without results. */
export type MissedWordsTable = Word;

/** The key by which the networks of a month choose their bits. */
interface WordKeysTable {
  readonly month: number;
  /** 32 bytes, base64url. */
  readonly secret: string;
}

export interface StatisticsTables {
  sound_days: SoundDaysTable;
  sound_months: SoundMonthsTable;
  found_words: FoundWordsTable;
  missed_words: MissedWordsTable;
  word_keys: WordKeysTable;
}

/** A further source is a column of a later migration. */
const SOURCES = ['list', 'search', 'similar', 'artist', 'sound', 'embed', 'feed', 'elsewhere'];
const PLAYS = [...SOURCES.map((source) => `from_${source}`), 'downloads'].map(count).join(', ');
const WORD = `month integer not null, word text not null, networks integer not null,
  is_shown integer not null default 0 check (is_shown in (0, 1)), uses integer not null`;
const OF_SOUND = 'sound_seq integer not null references sounds (seq) on delete cascade';

/** The sound of a certificate, as the index of certificates has it. */
export function toCertifiedSound(dialect: DialectName): string {
  return dialect === 'sqlite' ? `json_extract(body, '$.sound_id')` : `((body::jsonb) ->> 'sound_id')`;
}

/** Statistics for artists and operators, and indexes for what other tables already record. */
export const statistics: Migration = {
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
export const wordOrigins: Migration = {
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
