import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

type Own = Pick<Schema, 'retired_pictures'>;

/** What the queries of this feature see. */
export type Db = Kysely<Own>;
