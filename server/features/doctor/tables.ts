import type { Kysely } from 'kysely';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Others = ReadOnly<Pick<Schema, 'site_config' | 'sounds'>>;

/** What the queries of this feature see. */
export type Db = Kysely<Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
