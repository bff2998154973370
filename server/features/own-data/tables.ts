import type { Kysely } from 'kysely';
import type { Handle } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

/** What the queries of this feature see: every table. */
export type Db = Kysely<Schema>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
