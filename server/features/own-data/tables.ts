import type { Kysely } from 'kysely';
import type { Schema } from '../../platform/database/schema.ts';

/** What the queries of this feature see: every table. */
export type Db = Kysely<Schema>;
