/**
 * Measures how many connections and how much memory and processor time one caller can use:
 * `node bench/attacks/connections.ts [seconds]`. Attackers hold all connections, each with sixteen requests whose
 * responses they read at 13 bytes a second, while visitors from another address of this machine connect four times a
 * second. Exits 1 when a visitor is locked out.
 */
import { spawn } from 'node:child_process';
import type { ChildProcess } from 'node:child_process';
import { readFileSync, readdirSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { get } from 'node:http';
import { connect } from 'node:net';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { NODE_OPTIONS } from '../../tests/support/processes/node-options.ts';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));
const PIPELINED = 16;
const BYTES_PER_SEC = 13;
/** The default of MAX_CONNECTIONS is tested with the share of one address and some more. */
const CASES = [
  { name: '40 connections', max: 40, each: 40 },
  { name: '4,096 connections', max: 4_096, each: 1_500 },
];
/** Visitors who are locked out for longer than this give up. */
const LOCKED_OUT_MS = 10_000;

interface Site {
  readonly child: ChildProcess;
  readonly port: number;
}

export async function run(seconds = 20): Promise<number> {
  let isLockedOut = false;
  for (const { name, max, each } of CASES) {
    await withSite({ MAX_CONNECTIONS: String(max) }, async (site) => {
      const path = await findLargeFile(site.port);
      const before = memoryOf(site);
      const filesBefore = countFiles(site);
      const attackers = Array.from({ length: each }, () => crawl(site.port, '127.0.0.2', path));
      const knocks = await knock(site, seconds);
      const held = countFiles(site) - filesBefore;
      for (const socket of attackers) socket.destroy();
      isLockedOut ||= knocks.longestMs >= Math.min(LOCKED_OUT_MS, seconds * 900);
      console.log(
        `${name}: ${knocks.answered} of ${knocks.count} visits answered in ${seconds} s, locked out for ` +
          `${(knocks.longestMs / 1000).toFixed(1)} s at most; ${held} connections open at the end; ` +
          `memory ${before} → ${knocks.peakMb} MB`,
      );
    });
  }
  await withSite({}, async (site) => {
    await measureCalls(site, '/api/sounds/');
    await measureCalls(site, `/api/sounds/?${'a&'.repeat(45_000)}`, '90 KB of unknown parameters, API');
    await measureCalls(site, `/sounds?${'a&'.repeat(45_000)}`, '90 KB of unknown parameters, page');
    await measureCalls(site, `/api/sounds/?${'ids=.&'.repeat(15_000)}`, '15,000 malformed ids');
  });
  return isLockedOut ? 1 : 0;
}

async function withSite(env: Record<string, string>, use: (site: Site) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-connections-'));
  const child = spawn(process.execPath, [...NODE_OPTIONS, 'server/start.ts'], {
    cwd: ROOT,
    env: { ...process.env, ...env, NODE_ENV: 'production', PORT: '0', DATA_DIR: folder, RATE_LIMITS: 'off' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const port = await new Promise<number>((resolve, reject) => {
      child.once('exit', () => reject(new Error('the server did not start')));
      createInterface(child.stdout).on('line', (line) => {
        const port = /http:\/\/127\.0\.0\.1:(\d+)/.exec(line)?.[1];
        if (port !== undefined) resolve(Number(port));
      });
    });
    await use({ child, port });
  } finally {
    child.kill('SIGKILL');
    await rm(folder, { recursive: true, force: true });
  }
}

/** The largest script of the page: the largest response without an account. */
async function findLargeFile(port: number): Promise<string> {
  const base = `http://127.0.0.1:${port}`;
  const page = await (await fetch(`${base}/sounds`)).text();
  const names = new Set(page.match(/\/_astro\/[\w.-]+\.js/g));
  const files = await Promise.all(
    [...names].map(async (path) => ({
      path,
      size: (await (await fetch(base + path)).arrayBuffer()).byteLength,
    })),
  );
  return files.toSorted((a, b) => b.size - a.size)[0]?.path ?? '/sounds';
}

function crawl(port: number, localAddress: string, path: string): Socket {
  const request = `GET ${path} HTTP/1.1\r\nHost: x\r\n\r\n`;
  const socket = connect({ port, host: '127.0.0.1', localAddress }, () => {
    socket.pause();
    socket.write(request.repeat(PIPELINED));
  });
  const timer = setInterval(() => socket.read(BYTES_PER_SEC), 1000);
  socket.on('error', () => undefined);
  socket.on('close', () => clearInterval(timer));
  return socket;
}

async function knock(site: Site, seconds: number) {
  const result = { count: 0, answered: 0, longestMs: 0, peakMb: 0 };
  const until = performance.now() + seconds * 1000;
  let answeredAt = performance.now();
  while (performance.now() < until) {
    result.count += 1;
    if ((await visit(site.port)) === 200) {
      result.answered += 1;
      answeredAt = performance.now();
    }
    result.longestMs = Math.max(result.longestMs, performance.now() - answeredAt);
    result.peakMb = Math.max(result.peakMb, memoryOf(site));
    await wait(250);
  }
  return result;
}

function visit(port: number, path = '/sounds'): Promise<number> {
  return new Promise((resolve) => {
    const request = get({ port, path, host: '127.0.0.1', agent: false, timeout: 2_000 }, (response) => {
      response.resume().once('end', () => resolve(response.statusCode ?? 0));
    });
    request.on('timeout', () => request.destroy());
    request.on('error', () => resolve(0));
  });
}

async function measureCalls({ child, port }: Site, path: string, name = path): Promise<void> {
  const times = 50;
  for (let count = 0; count < times; count += 1) await visit(port, path);
  const before = cpuMs(child);
  let status = 0;
  for (let count = 0; count < times; count += 1) status = await visit(port, path);
  console.log(`${name}: ${((cpuMs(child) - before) / times).toFixed(1)} ms of processor, status ${status}`);
}

function memoryOf({ child }: Site): number {
  const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
  return Math.round(Number(/VmRSS:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1000);
}

function countFiles({ child }: Site): number {
  return readdirSync(`/proc/${child.pid ?? 0}/fd`).length;
}

/** User and system time; a tick is 10 ms on Linux. */
function cpuMs({ pid }: ChildProcess): number {
  const fields =
    readFileSync(`/proc/${pid ?? 0}/stat`, 'utf8')
      .split(') ')[1]
      ?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * 10;
}

if (import.meta.main) process.exitCode = await run(Number(process.argv[2] ?? 20));
