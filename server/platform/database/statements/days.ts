import { sql } from 'kysely';
import type { RawBuilder } from 'kysely';
import { DAY_MS, JAPAN_MS } from '../../../../contract/values/time-units.ts';

/**
 * The day in Japan (`toDay`) of a column with epoch ms, in the form that indexes have it. Whole numbers are divided to
 * whole numbers: SQLite would divide a parameter as a fraction.
 */
export function dayOf(column: string): RawBuilder<number> {
  return sql<number>`(${sql.ref(column)} + ${sql.lit(JAPAN_MS)}) / ${sql.lit(DAY_MS)}`;
}
