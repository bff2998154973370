import type { Kysely } from 'kysely';
import type { ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Own = Pick<Schema, 'download_counts' | 'download_credits' | 'download_intents'>;
type Others = ReadOnly<Pick<Schema, 'member_traces' | 'sounds' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<Own & Others>;
