import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import type { Database } from '../open.ts';

/** No code point is higher: texts that start with a prefix lie between it and `prefix + LAST_CODE_POINT`. */
export const LAST_CODE_POINT = '\u{10ffff}';

/**
 * A text column ordered by code points, for finding texts by their beginning. SQLite orders all texts so; PostgreSQL
 * does in its own collation, for which the column needs an index.
 */
export function byCodePoints({ dialect }: Pick<Database, 'dialect'>, column: string): RawBuilder<string> {
  return dialect === 'postgres' ? sql`${sql.ref(column)} collate "C"` : sql`${sql.ref(column)}`;
}
