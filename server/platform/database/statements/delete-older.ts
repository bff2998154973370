import { sql } from 'kysely';
import type { Expression, ExpressionBuilder, Kysely, SelectType, SqlBool } from 'kysely';
import { changeInBatches } from './batches.ts';
import { countChanged } from './outcomes.ts';
import type { Schema } from '../schema.ts';

/** The columns of a table whose values are numbers. */
type TimeColumn<Table extends keyof Schema> = {
  [Column in keyof Schema[Table] & string]: SelectType<Schema[Table][Column]> extends number | null
    ? Column
    : never;
}[keyof Schema[Table] & string];

type Column<Table extends keyof Schema> = Table extends unknown ? keyof Schema[Table] & string : never;

/** Rows to delete. */
export interface OlderRows<Table extends keyof Schema> {
  readonly table: Table;
  /** The columns of its primary key; `id` unless given. */
  readonly key?: readonly Column<Table>[];
  /** How old they are. */
  readonly when: readonly [
    column: TimeColumn<Table>,
    operator: '<' | '<=',
    time: number | Expression<number>,
  ];
  /** A condition beside their age. */
  readonly also?: (where: ExpressionBuilder<Schema, Table>) => Expression<SqlBool>;
  /** Leaves out rows that others have locked, so that concurrent deletions do not wait for each other. */
  readonly skipsLocked?: boolean;
}

/** Deletes rows of a certain age, oldest first, in batches. Returns their number. */
export async function deleteOlder<Table extends keyof Schema>(
  db: Kysely<Schema>,
  rows: OlderRows<Table>,
): Promise<number> {
  return changeInBatches((limit) => deleteSomeOlder(db, rows, limit));
}

/** Deletes at most `limit` rows of a certain age, oldest first, in one statement. Returns how many. */
export function deleteSomeOlder<Table extends keyof Schema>(
  db: Kysely<Schema>,
  { table: name, key, when, also, skipsLocked = false }: OlderRows<Table>,
  limit: number,
): Promise<number> {
  // Kysely cannot check the columns of a table that varies; the type of the parameters has checked them.
  const anyTable = db as unknown as Kysely<Record<string, Record<string, number>>>;
  const table: string = name;
  const columns: readonly string[] = key ?? ['id'];
  const [age, operator, time]: readonly [string, '<' | '<=', number | Expression<number>] = when;
  let oldest = anyTable
    .selectFrom(table)
    .select(columns)
    .where(age, operator, time)
    .orderBy(age)
    .limit(limit);
  if (also !== undefined) oldest = oldest.where((where) => also(where as never));
  if (skipsLocked) oldest = oldest.forUpdate().skipLocked();
  return countChanged(
    anyTable.deleteFrom(table).where(sql`(${sql.join(columns.map((each) => sql.ref(each)))})`, 'in', oldest),
  );
}
