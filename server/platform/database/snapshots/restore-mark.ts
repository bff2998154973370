import { sql } from 'kysely';
import type { QueryExecutorProvider } from 'kysely';

/**
 * - `begun`: nothing may use the database or folder until the same restore has ended.
 * - `filled`: as `begun`, and the database has all of its rows.
 * - `complete`: everything is there; only the marks remain to be removed.
 */
export type RestoreState = 'begun' | 'filled' | 'complete';

/** What a restore leaves in each database or folder that it fills, until everything is there. */
export interface RestoreMark {
  /** The id of the backup. */
  readonly id: string;
  readonly state: RestoreState;
}

/**
 * The mark in a PostgreSQL database. Not a table of the schema: a restore creates it before all others, and drops it at
 * its end. SQLite needs none, because its file is in the data folder, which has a mark of its own.
 */
export const MARK_TABLE = 'unfinished_restore';
const table = sql.table(MARK_TABLE);

export async function isMarked(db: QueryExecutorProvider): Promise<boolean> {
  const { rows } = await sql`select 1 as hit where to_regclass(${MARK_TABLE}) is not null`.execute(db);
  return rows.length > 0;
}

export async function readMark(db: QueryExecutorProvider): Promise<RestoreMark | undefined> {
  if (!(await isMarked(db))) return undefined;
  const { rows } = await sql<RestoreMark>`select id, state from ${table}`.execute(db);
  return rows[0];
}

export async function writeMark(db: QueryExecutorProvider, { id, state }: RestoreMark): Promise<void> {
  await sql`create table if not exists ${table} (id text primary key, state text not null)`.execute(db);
  await sql`insert into ${table} (id, state) values (${id}, ${state})
    on conflict (id) do update set state = excluded.state`.execute(db);
}

export async function dropMark(db: QueryExecutorProvider): Promise<void> {
  await sql`drop table if exists ${table}`.execute(db);
}
