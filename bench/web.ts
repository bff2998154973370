/**
 * Measures requests per second on one core: `node bench/web.ts [data folder]`. The server is pinned to core 0 and
 * writes its log to a file; wrk (or autocannon if wrk is missing) runs on core 1. "raw" is a bare Node server that
 * sends the same page from memory: the maximum on this machine. The processor time per request (all threads of the
 * server) varies less than requests per second when the machine has other load.
 */
import type { ChildProcess } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { BROWSER, cpuSecondsOf, memoryMibOf, runLoad, startPinned, stopServer } from './load.ts';

const PORT = 4_790;
const URL_BASE = `http://127.0.0.1:${PORT}`;
const SECONDS = Number(process.env['SECONDS'] ?? 6);
const WARM_UP_SECONDS = 2;

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
      console.log(`/sounds is ${Buffer.byteLength(body)} bytes; resting memory ${memoryMibOf(server)} MiB`);
      measure(server, '/sounds from the page cache, brotli', '/sounds', BROWSER);
      measure(server, '/sounds from the page cache, uncompressed', '/sounds', []);
      measure(server, '/favicon.svg', '/favicon.svg', BROWSER);
      measure(server, '/api/site-config', '/api/site-config', BROWSER);
      measure(server, '/healthz', '/healthz', BROWSER);
      console.log(`memory after this ${memoryMibOf(server)} MiB`);
    });
    await withServer(['server/start.ts'], { ...env, PAGE_CACHE_MIB: '0' }, folder, async (server) => {
      measure(server, '/sounds rendered afresh', '/sounds', []);
      measure(server, '/sounds rendered afresh, brotli', '/sounds', BROWSER);
      console.log(`memory after this ${memoryMibOf(server)} MiB`);
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
  const server = await startPinned({ args, env, url: URL_BASE, logFile: join(folder, 'log') });
  try {
    await work(server);
  } finally {
    await stopServer(server);
  }
}

/** Two seconds of warm-up, then the measurement. */
function measure(server: ChildProcess, name: string, path: string, headers: readonly string[]): void {
  runLoad(URL_BASE + path, { headers, seconds: WARM_UP_SECONDS });
  const before = cpuSecondsOf(server);
  const { count, perSec, p50, p99, errors } = runLoad(URL_BASE + path, { headers, seconds: SECONDS });
  const micros = ((cpuSecondsOf(server) - before) / count) * 1e6;
  console.log(
    `${name.padEnd(46)} ${perSec.toFixed(2)} req/s  p50 ${p50}  p99 ${p99} ${errors}  ${Math.round(micros)} µs processor time each`,
  );
}

function serveRaw(file: string): void {
  const body = readFileSync(file);
  createServer((_, res) => {
    res.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-length': body.byteLength });
    res.end(body);
  }).listen(PORT, '127.0.0.1');
}
