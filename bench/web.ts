/**
 * Measures requests per second on one core: `node bench/web.ts [data folder]`. The server is pinned to core 0 and
 * writes its log to a file; wrk (or autocannon if wrk is missing) runs on core 1. "raw" is a bare Node server that
 * sends the same page from memory: the maximum on this machine. The processor time per request (all threads of the
 * server) varies less than requests per second when the machine has other load.
 */
import { spawn, spawnSync } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { createWriteStream, readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('..', import.meta.url));
const PORT = 4_790;
const URL_BASE = `http://127.0.0.1:${PORT}`;
const SECONDS = Number(process.env['SECONDS'] ?? 6);
/** Of the machine, if available. */
const TOOLS = { load: 'wrk', pin: 'taskset' };
const BROWSER = [
  'accept-encoding: gzip, deflate, br',
  'user-agent: Mozilla/5.0 (X11; Linux x86_64) Chrome/156.0.0.0',
];

if (process.argv[2] === 'serve-raw') serveRaw(process.argv[3] ?? '');
else await main(process.argv[2]);

async function main(dataDir: string | undefined): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-web-'));
  const env = { DATA_DIR: dataDir ?? join(folder, 'data'), PORT: String(PORT), RATE_LIMITS: 'off' };
  const page = join(folder, 'page.br');
  try {
    await withServer(['server/start.ts'], env, folder, async (server) => {
      const body = await (await fetch(`${URL_BASE}/sounds`)).text();
      await writeFile(page, body);
      console.log(`/sounds is ${Buffer.byteLength(body)} bytes; resting memory ${memoryOf(server)}`);
      measure(server, '/sounds from the page cache, brotli', '/sounds', BROWSER);
      measure(server, '/sounds from the page cache, uncompressed', '/sounds', []);
      measure(server, '/favicon.svg', '/favicon.svg', BROWSER);
      measure(server, '/api/site-config', '/api/site-config', BROWSER);
      measure(server, '/healthz', '/healthz', BROWSER);
      console.log(`memory after this ${memoryOf(server)}`);
    });
    await withServer(['server/start.ts'], { ...env, PAGE_CACHE_MIB: '0' }, folder, async (server) => {
      measure(server, '/sounds rendered afresh', '/sounds', []);
      measure(server, '/sounds rendered afresh, brotli', '/sounds', BROWSER);
      console.log(`memory after this ${memoryOf(server)}`);
    });
    await withServer(['bench/web.ts', 'serve-raw', page], {}, folder, async (server) => {
      measure(server, 'raw: the same page from memory, uncompressed', '/', []);
    });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function withServer(
  args: readonly string[],
  env: Record<string, string>,
  folder: string,
  work: (server: ChildProcess) => Promise<void>,
): Promise<void> {
  const [command = '', ...rest] = pinned(0, [process.execPath, ...args]);
  const server = spawn(command, rest, {
    cwd: ROOT,
    env: { ...process.env, ...env, NODE_ENV: 'production' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  server.stdout.pipe(createWriteStream(join(folder, 'log')));
  try {
    await waitUntilReady();
    await work(server);
  } finally {
    server.kill('SIGTERM');
    await new Promise((resolve) => server.once('exit', resolve));
  }
}

async function waitUntilReady(): Promise<void> {
  for (let tries = 0; tries < 600; tries += 1) {
    const response = await fetch(`${URL_BASE}/readyz`).catch(() => undefined);
    if (response?.ok) return;
    await wait(100);
  }
  throw new Error('the server does not answer');
}

/** Two seconds of warm-up, then the measurement. */
function measure(server: ChildProcess, name: string, path: string, headers: readonly string[]): void {
  runWrk(path, headers, 2);
  const before = cpuSecondsOf(server);
  const { figures, count } = runWrk(path, headers, SECONDS);
  const micros = ((cpuSecondsOf(server) - before) / count) * 1e6;
  console.log(`${name.padEnd(46)} ${figures}  ${Math.round(micros)} µs processor time each`);
}

function runWrk(
  path: string,
  headers: readonly string[],
  seconds: number,
): { figures: string; count: number } {
  const url = URL_BASE + path;
  const flags = headers.flatMap((header) => ['-H', header]);
  const hasWrk = spawnSync(TOOLS.load, ['--version']).error === undefined;
  const tool = hasWrk
    ? [TOOLS.load, '-t1', '-c32', `-d${seconds}`, '--latency', ...flags, url]
    : [join(ROOT, 'node_modules/.bin/autocannon'), '-c', '32', '-d', String(seconds), ...flags, url];
  const [command = '', ...args] = pinned(1, tool);
  const { stdout, stderr } = spawnSync(command, args, { encoding: 'utf8' });
  if (!hasWrk) {
    const figures = (stdout + stderr).split('\n').find((line) => line.includes('requests in')) ?? '';
    return { figures, count: Number.parseFloat(figures) * (figures.includes('k requests') ? 1_000 : 1) };
  }
  const find = (pattern: RegExp) => pattern.exec(stdout)?.[1] ?? '?';
  const errors = /Non-2xx[^\n]*|Socket errors[^\n]*/.exec(stdout)?.[0] ?? '';
  return {
    figures: `${find(/Requests\/sec:\s+(\S+)/)} req/s  p50 ${find(/50%\s+(\d\S+)/)}  p99 ${find(/99%\s+(\d\S+)/)} ${errors}`,
    count: Number(find(/(\d+) requests in/)),
  };
}

function pinned(core: number, command: readonly string[]): readonly string[] {
  return spawnSync(TOOLS.pin, ['--version']).error ? command : [TOOLS.pin, '-c', String(core), ...command];
}

/** User and system time; a tick is 10 ms on Linux. */
function cpuSecondsOf({ pid }: ChildProcess): number {
  const fields =
    readFileSync(`/proc/${pid ?? 0}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) / 100;
}

function memoryOf({ pid }: ChildProcess): string {
  const status = readFileSync(`/proc/${pid ?? 0}/status`, 'utf8');
  return `${Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024)} MiB`;
}

function serveRaw(file: string): void {
  const body = readFileSync(file);
  createServer((_, res) => {
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.byteLength });
    res.end(body);
  }).listen(PORT, '127.0.0.1');
}
