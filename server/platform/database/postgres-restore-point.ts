import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { closeSync, openSync, renameSync, rmSync } from 'node:fs';
import { UNLIMITED, openPostgresPool } from './postgres-pool.ts';

/** Other connections to the database, one line for each: servers, staff commands and other programs. */
export async function findOtherSessions(url: string): Promise<string[]> {
  const { pool } = await openPostgresPool(url, { ...UNLIMITED, isReadOnly: true });
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

/** Writes a dump for pg_restore, replacing an earlier one. Throws when pg_dump is missing or fails. */
export async function dumpPostgres(url: string, file: string): Promise<void> {
  const partial = `${file}.partial`;
  rmSync(partial, { force: true });
  const output = openSync(partial, 'wx', 0o600);
  try {
    // The password must not appear in the list of processes.
    const child = spawn('pg_dump', ['--format=custom'], {
      env: { ...process.env, ...toEnvironment(url) },
      stdio: ['ignore', output, 'pipe'],
    });
    const complaints: Buffer[] = [];
    child.stderr?.on('data', (chunk: Buffer) => complaints.push(chunk));
    // Rejects when the program is missing.
    const [code] = (await once(child, 'close')) as [number | null];
    const [reason] = Buffer.concat(complaints).toString().trim().split('\n', 1);
    if (code !== 0) throw new Error(`pg_dump failed: ${reason}`);
  } catch (error) {
    rmSync(partial, { force: true });
    throw error;
  } finally {
    closeSync(output);
  }
  renameSync(partial, file);
}

function toEnvironment(url: string): Record<string, string> {
  const { hostname, port, username, password, pathname, searchParams } = new URL(url);
  const values = {
    PGHOST: searchParams.get('host') ?? hostname,
    PGPORT: port,
    PGUSER: decodeURIComponent(username),
    PGPASSWORD: decodeURIComponent(password),
    PGDATABASE: decodeURIComponent(pathname.slice(1)),
    PGSSLMODE: searchParams.get('sslmode') ?? '',
  };
  return Object.fromEntries(Object.entries(values).filter(([, value]) => value !== ''));
}
