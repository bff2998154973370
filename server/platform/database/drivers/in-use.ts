import { DatabaseSync } from 'node:sqlite';
import { classifyFailure } from './failure.ts';
import { UNLIMITED, openPostgresPool } from './postgres-pool.ts';

/**
 * Whether another process has the database open. A connection in WAL mode holds a shared lock on the file for as long
 * as it is open, so that an exclusive one is refused. Also completes or undoes what a killed process was writing.
 */
export function isSqliteInUse(file: string): boolean {
  const database = new DatabaseSync(file, { timeout: 0 });
  try {
    database.exec(
      'pragma locking_mode = exclusive; select count(*) from sqlite_schema; begin immediate; rollback',
    );
    return false;
  } catch (error) {
    if (classifyFailure(error) === 'busy') return true;
    throw error;
  } finally {
    database.close();
  }
}

/** Other connections to the database, one line for each: servers, staff commands and other programs. */
export async function findOtherSessions(url: string): Promise<string[]> {
  const pool = await openPostgresPool(url, { ...UNLIMITED, isReadOnly: true });
  try {
    const { rows } = await pool.query<{ line: string }>(`
      select concat_ws(' ', 'process', pid, 'of', usename, 'from', coalesce(client_addr::text, 'this machine'),
        nullif(application_name, '')) as line
      from pg_stat_activity
      where datname = current_database() and pid <> pg_backend_pid() and backend_type = 'client backend'
      order by pid limit 20`);
    return rows.map(({ line }) => line);
  } finally {
    await pool.end();
  }
}
