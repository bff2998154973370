import type { Kysely } from 'kysely';
import type { ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Own = Pick<
  Schema,
  'artist_days' | 'sound_days' | 'sound_months' | 'found_words' | 'missed_words' | 'word_keys'
>;
type Others = ReadOnly<Pick<Schema, 'sounds'>>;

/** What the queries of this feature see. */
export type Db = Kysely<Own & Others>;
