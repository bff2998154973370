import type { Kysely } from 'kysely';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Own = Pick<
  Schema,
  | 'personal_info_submissions'
  | 'personal_info_views'
  | 'quality_check_files'
  | 'quality_check_types'
  | 'quality_checks'
>;
type Others = ReadOnly<Pick<Schema, 'sound_types' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<Own & Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
