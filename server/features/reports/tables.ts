import type { Kysely } from 'kysely';
import type { Handle, ReadOnly } from '../../platform/database/handle.ts';
import type { Schema } from '../../platform/database/schema.ts';

type Own = Pick<Schema, 'report_events' | 'reports'>;
type Others = ReadOnly<Pick<Schema, 'operator_actions' | 'sounds' | 'users'>>;

/** What the queries of this feature see. */
export type Db = Kysely<Own & Others>;

/** A handle with which the queries of this feature compile. */
export const own = (db: Handle): Db => db;
