import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess, SpawnOptions } from 'node:child_process';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Client } from 'pg';
import { findBinaries } from './postgres-binaries.ts';
import type { Account } from './postgres-binaries.ts';

/** Data need not survive a crash of the machine. */
const UNSAFE = ['fsync=off', 'full_page_writes=off', 'synchronous_commit=off', 'autovacuum=off'];
const START_DEADLINE_MS = 30_000;
const STOP_DEADLINE_MS = 10_000;
/**
 * PostgreSQL refuses to run as root, and `initdb` as a user id without an account. Nearly every machine has one
 * of these.
 */
const UNPRIVILEGED = ['postgres', 'nobody', 'daemon'];

export interface PostgresOptions {
  /** `name=value` as in postgresql.conf. */
  readonly settings?: readonly string[];
  /** A folder to keep and reuse; by default a temporary one that is removed with the server. */
  readonly keep?: string | undefined;
  /** A free one by default. */
  readonly port?: number;
}

/** A private server on a free loopback port that does not wait for the disk. */
export async function startPostgres({ settings = [], keep, port = 0 }: PostgresOptions = {}) {
  const account = process.getuid?.() === 0 ? findAccount() : undefined;
  const binaries = findBinaries(account);
  const folder = keep ?? mkdtempSync(join(tmpdir(), 'otoichi-postgres-'));
  mkdirSync(folder, { recursive: true });
  if (account !== undefined) chownSync(folder, account.uid, account.gid);
  const options: SpawnOptions = { ...account, cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] };
  const data = join(folder, 'data');
  if (!existsSync(data)) initialise(binaries.folder, data, options);

  const ownPort = port === 0 ? await findFreePort() : port;
  const flags = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', ...UNSAFE, ...settings];
  const server = spawn(
    join(binaries.folder, 'postgres'),
    ['-D', data, '-p', String(ownPort), ...flags.flatMap((flag) => ['-c', flag])],
    options,
  );
  let log = '';
  server.stderr?.on('data', (chunk: Buffer) => (log = (log + chunk.toString()).slice(-4_000)));
  const killWithUs = () => server.kill('SIGQUIT');
  process.once('exit', killWithUs);

  const adminUrl = `postgres://otoichi@127.0.0.1:${ownPort}/postgres`;
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
      binaries.remove();
    },
  };
}

/** A server and a streaming replica of it, which `startReplica` starts again after it was stopped. */
export async function startReplicatedPostgres() {
  const folder = mkdtempSync(join(tmpdir(), 'otoichi-replicated-'));
  // The account of the servers must be able to reach its folders.
  chmodSync(folder, 0o755);
  const [primaryFolder, replicaFolder] = [join(folder, 'primary'), join(folder, 'replica')];
  await (await startPostgres({ keep: primaryFolder })).stop();
  // Keeps owners, unlike cpSync. A copy of a stopped server is a base backup.
  const copied = spawnSync('cp', ['-a', primaryFolder, replicaFolder], { encoding: 'utf8' });
  if (copied.status !== 0) throw new Error(`the copy failed: ${copied.stderr}`);
  writeFileSync(join(replicaFolder, 'data', 'standby.signal'), '');
  const primary = await startPostgres({ keep: primaryFolder });
  const { port, username } = new URL(primary.adminUrl);
  const source = `primary_conninfo=host=127.0.0.1 port=${port} user=${username}`;
  return {
    primary,
    startReplica: (replicaPort?: number) =>
      startPostgres({ keep: replicaFolder, settings: [source], ...(replicaPort && { port: replicaPort }) }),
    async stop() {
      await primary.stop();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** Runs one statement on a separate connection. */
export async function runStatement(url: string, statement: string): Promise<void> {
  await withClient(url, (client) => client.query(statement));
}

/** Opens a separate connection for `use`. */
export async function withClient<Result>(
  url: string,
  use: (client: Client) => Promise<Result>,
): Promise<Result> {
  const client = new Client({ connectionString: url });
  await client.connect();
  try {
    return await use(client);
  } finally {
    await client.end();
  }
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

function findAccount(): Account {
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
