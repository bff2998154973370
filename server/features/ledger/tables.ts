import type { Kysely } from 'kysely';
import type { ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Own = Pick<Schema, 'artist_months' | 'ledger_accounts' | 'ledger_entries' | 'transfer_requests'>;
type Others = ReadOnly<Pick<Schema, 'artist_days' | 'sounds' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<Own & Others>;
