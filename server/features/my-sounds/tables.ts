import type { Kysely } from 'kysely';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Own = Pick<
  Schema,
  | 'resumable_uploads'
  | 'sound_changes'
  | 'sound_copies'
  | 'sound_sub_genres'
  | 'sounds'
  | 'unclaimed_files'
  | 'undecoded_sounds'
  | 'upload_pieces'
>;
type Others = ReadOnly<
  Pick<Schema, 'sound_features' | 'sound_findings' | 'sound_types' | 'sub_genres' | 'users'>
>;

/** What the queries of this feature see. */
export type Db = Kysely<Own & Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
