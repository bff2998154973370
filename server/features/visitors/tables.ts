import type { Kysely } from 'kysely';
import type { Handle } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Own = Pick<Schema, 'address_keys' | 'member_traces'>;

/** What the queries of this feature see. */
export type Db = Kysely<Own>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
