import type { Kysely } from 'kysely';
import type { Handle } from './handle.ts';
import type { ProcessTables } from './tables/processes.ts';

/** Every table. The `tables.ts` of a feature adds its own. */
export interface Schema extends ProcessTables {}

/** Every table, for programs beside the server: tests, benchmarks, the demo. Features query what their `tables.ts` names. */
export const everyTable = (db: Handle): Kysely<Schema> => db;
