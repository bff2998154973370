import type { Generated, Kysely } from 'kysely';
import type { PlaySource } from '../../../contract/sounds/plays.ts';
import type { ReadOnly } from '../../platform/database/handle.ts';
import type { DialectName } from '../../platform/database/migrations/migration.ts';
import type { Schema } from '../../platform/database/schema.ts';
import type { Flag } from '../../platform/database/tables/parts.ts';

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

interface StatisticsTables {
  sound_days: SoundDaysTable;
  sound_months: SoundMonthsTable;
  found_words: FoundWordsTable;
  missed_words: MissedWordsTable;
  word_keys: WordKeysTable;
}

declare module '../../platform/database/schema.ts' {
  interface Schema extends StatisticsTables {}
}

type Others = ReadOnly<Pick<Schema, 'artist_days' | 'sounds'>>;

/** What the queries of this feature see. */
export type Db = Kysely<StatisticsTables & Others>;

/** The sound of a certificate, as the index of certificates has it. */
export function toCertifiedSound(dialect: DialectName): string {
  return dialect === 'sqlite' ? `json_extract(body, '$.sound_id')` : `((body::jsonb) ->> 'sound_id')`;
}
