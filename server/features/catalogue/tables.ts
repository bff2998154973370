import type { Kysely } from 'kysely';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Own = Pick<
  Schema,
  | 'favorites'
  | 'genres'
  | 'search_synonyms'
  | 'similarity_models'
  | 'sound_features'
  | 'sound_findings'
  | 'sound_neighbours'
  | 'sound_pronunciations'
  | 'sound_sub_genres'
  | 'sound_types'
  | 'sounds'
  | 'sub_genres'
  | 'undecoded_sounds'
  | 'unindexed_artists'
  | 'unpronounced_sounds'
>;
type Others = ReadOnly<Pick<Schema, 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<Own & Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
