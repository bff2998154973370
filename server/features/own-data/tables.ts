import type { Kysely } from 'kysely';
import type { ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Others = ReadOnly<Pick<Schema, 'favorites' | 'sounds' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<Others>;
