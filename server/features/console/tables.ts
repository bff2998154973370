import type { Kysely } from 'kysely';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Others = ReadOnly<
  Pick<
    Schema,
    | 'artist_days'
    | 'download_counts'
    | 'download_credits'
    | 'mail_outbox'
    | 'operator_actions'
    | 'personal_info_submissions'
    | 'quality_checks'
    | 'reports'
    | 'sounds'
    | 'transfer_requests'
    | 'users'
  >
>;

/** What the queries of this feature see. */
export type Db = Kysely<Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
