import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';

const START_DEADLINE_MS = 30_000;
const STOP_DEADLINE_MS = 10_000;
/** PostgreSQL refuses to run as root; these accounts are on nearly every machine. */
const UNPRIVILEGED = ['postgres', 'nobody'];

/** The newest folder on this machine that holds both `initdb` and `postgres`. */
export function findBinaries(): string | undefined {
  const packaged = '/usr/lib/postgresql';
  const versions = existsSync(packaged) ? readdirSync(packaged).sort((a, b) => Number(b) - Number(a)) : [];
  const folders = [
    ...versions.map((version) => join(packaged, version, 'bin')),
    ...(process.env['PATH'] ?? '').split(delimiter),
  ];
  return folders.find((folder) => existsSync(join(folder, 'initdb')) && existsSync(join(folder, 'postgres')));
}

export interface PostgresOptions {
  /** `name=value` as in postgresql.conf. */
  readonly settings?: readonly string[];
  /** A folder that stays, to be used again; otherwise a temporary one that goes with the server. */
  readonly keep?: string | undefined;
}

/** A server of our own on a free loopback port, which writes without waiting for the disk. */
export async function startPostgres(bin: string, { settings = [], keep }: PostgresOptions = {}) {
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'otoichi-postgres-'));
  mkdirSync(folder, { recursive: true });
  const account = process.getuid?.() === 0 ? findAccount() : undefined;
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  const options: SpawnOptions = { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] };
  const data = join(folder, 'data');
  if (!existsSync(data)) initialise(bin, data, options);

  const port = await findFreePort();
  const flags = ['listen_addresses=127.0.0.1', `unix_socket_directories=`, 'fsync=off', ...settings];
  const server = spawn(
    join(bin, 'postgres'),
    ['-D', data, '-p', String(port), ...flags.flatMap((flag) => ['-c', flag])],
    options,
  );
  let log = '';
  server.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4_000)));
  const killWithUs = () => server.kill('SIGQUIT');
  process.once('exit', killWithUs);

  const adminUrl = `postgres://otoichi@127.0.0.1:${port}/postgres`;
  const version = await waitForVersion(adminUrl, server).catch((error: unknown) => {
    killWithUs();
    throw new Error(`PostgreSQL did not start: ${log}`, { cause: error });
  });
  return {
    adminUrl,
    version,
    async stop() {
      const exited = new Promise((resolve) => server.once('exit', resolve));
      server.kill('SIGINT');
      const isGone = await Promise.race([
        exited.then(() => true),
        sleep(STOP_DEADLINE_MS, false, { ref: false }),
      ]);
      if (!isGone) killWithUs();
      process.off('exit', killWithUs);
      if (keep === undefined) rmSync(folder, { recursive: true, force: true });
    },
  };
}

function initialise(bin: string, data: string, options: SpawnOptions): void {
  const flags = [
    '--username',
    'otoichi',
    '--auth',
    'trust',
    '--encoding',
    'UTF8',
    '--locale',
    'C',
    '--no-sync',
  ];
  const made = spawnSync(join(bin, 'initdb'), ['--pgdata', data, ...flags], {
    ...options,
    stdio: 'pipe',
    encoding: 'utf8',
  });
  if (made.status !== 0) throw new Error(`initdb failed: ${made.stderr}`);
}

async function waitForVersion(url: string, server: ChildProcess): Promise<string> {
  const deadline = Date.now() + START_DEADLINE_MS;
  for (;;) {
    const client = new Client({ connectionString: url });
    try {
      await client.connect();
      const { rows } = await client.query<{ version: string }>('select version()');
      return /^PostgreSQL \S+/.exec(rows[0]?.version ?? '')?.[0] ?? 'PostgreSQL';
    } catch (error) {
      if (server.exitCode !== null || Date.now() > deadline) throw error;
      await sleep(50);
    } finally {
      await client.end().catch(() => undefined);
    }
  }
}

function findAccount(): { uid: number; gid: number } {
  for (const name of UNPRIVILEGED) {
    const ids = ['-u', '-g'].map((flag) =>
      Number(spawnSync('id', [flag, name], { encoding: 'utf8' }).stdout),
    );
    const [uid, gid] = ids;
    if (uid !== undefined && gid !== undefined && uid > 0) return { uid, gid };
  }
  throw new Error(`PostgreSQL refuses to run as root, and there is no account ${UNPRIVILEGED.join(' or ')}`);
}

function findFreePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const probe = createServer();
    probe.once('error', reject);
    probe.listen(0, '127.0.0.1', () => {
      const { port } = probe.address() as AddressInfo;
      probe.close(() => resolve(port));
    });
  });
}
