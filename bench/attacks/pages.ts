/**
 * Measures how one address affects all others, and fills the log, by requesting pages, API reads or missing files:
 * `node bench/attacks.ts pages [DATA_DIR]`, with a folder of `npm run demo`. The attacker is 127.0.0.66; all others
 * have addresses of their own.
 */
import { execFile, spawn } from 'node:child_process';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { NODE_OPTIONS } from '../../tests/support/processes/node-options.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const CLIENT = fileURLToPath(new URL('client.ts', import.meta.url));
const SECONDS = Number(process.env['SECONDS'] ?? 8);
const CONNECTIONS = (process.env['CONNECTIONS'] ?? '50,400').split(',').map(Number);
const TARGETS = [
  '/sounds?to=5.{random}',
  '/sounds?search={random}&to=5',
  '/sounds?search=a&to=5&type={random}',
  '/nope-{random}',
  '/content/{random}',
  '/api/sounds/?search={random}&page_size=100',
  `/media/sounds/{random}/${'x'.repeat(8_000)}`,
  '/login',
];

interface Figures {
  readonly statuses: Readonly<Record<string, number>>;
  readonly p50: number;
  readonly p95: number;
}

/** Measures each attack against a new server. */
export async function attackPages(dataDir = 'demo-data'): Promise<void> {
  console.log(`p50 / p95 in ms over ${SECONDS} s; what the attacker was answered`);
  await attackServer(dataDir, 0, '');
  for (const connections of CONNECTIONS) {
    for (const target of TARGETS) await attackServer(dataDir, connections, target);
  }
}

/** Measures one attack against a new server. */
export async function attackServer(dataDir: string, connections: number, target: string): Promise<void> {
  const server = await start(dataDir);
  try {
    const watch = (address: string, path: string, pauseMs = 50) =>
      ask(server.port, address, 1, SECONDS * 1_000, pauseMs, path);
    await watch('127.0.0.2', '/', 1_000);
    const attack =
      connections > 0
        ? ask(server.port, '127.0.0.66', connections, (SECONDS + 1) * 1_000, 0, target)
        : Promise.resolve(undefined);
    await wait(connections > 0 ? 1_000 : 0);
    const [loggedBefore, startedAt] = [server.countLogged(), performance.now()];
    const [health, home, fresh] = await Promise.all([
      watch('127.0.0.2', '/healthz'),
      watch('127.0.0.3', '/'),
      watch('127.0.0.4', '/sounds?search={random}', 250),
    ]);
    const logged = ((server.countLogged() - loggedBefore) * 3.6) / (performance.now() - startedAt);
    const attacked = await attack;
    console.log(
      [
        connections > 0 ? `${connections} × ${target.slice(0, 60)}` : 'at rest',
        `  /healthz ${toText(health)}   cached / ${toText(home)}   a fresh page ${toText(fresh)}   log ${logged.toFixed(0)} MB an hour`,
        ...(attacked ? [`  attacker ${toText(attacked)}`] : []),
      ].join('\n'),
    );
  } finally {
    server.stop();
    await server.stopped;
  }
}

function toText({ p50, p95, statuses }: Figures): string {
  const counts = Object.entries(statuses).map(([status, count]) => `${count} × ${status}`);
  return `${p50} / ${p95} (${counts.join(', ')})`;
}

async function start(dataDir: string) {
  const child = spawn(process.execPath, [...NODE_OPTIONS, 'server/start.ts'], {
    cwd: ROOT,
    env: { ...process.env, NODE_ENV: 'production', DATA_DIR: dataDir, PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let logged = 0;
  const port = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      const url = /"url":"http:\/\/127\.0\.0\.1:(\d+)"/.exec(line)?.[1];
      if (url !== undefined) resolve(url);
    });
    child.stdout.on('data', (chunk: Buffer) => (logged += chunk.byteLength));
    child.once('exit', (code) => reject(new Error(`the server ended with ${code}`)));
  });
  return {
    port,
    /** The bytes of its log so far. */
    countLogged: () => logged,
    stop: () => void child.kill('SIGKILL'),
    stopped: new Promise((resolve) => child.once('close', resolve)),
  };
}

/** Runs the client, and ends it in any case. */
async function ask(
  port: string,
  address: string,
  connections: number,
  ms: number,
  pauseMs: number,
  target: string,
) {
  const args = [CLIENT, port, address, connections, ms, pauseMs, target].map(String);
  const { stdout } = await promisify(execFile)(process.execPath, args, { timeout: ms + 30_000 });
  return JSON.parse(stdout) as Figures;
}
