/**
 * Measures how the server responds while another process holds the lock of the SQLite database for twelve seconds, as a
 * careless script could. `node bench/attacks/write-lock.ts [FOLDER]` tests this checkout, or the one in FOLDER.
 */
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';

const HELD_MS = 12_000;
const SINGLE_CALLS = 300;
const READ = '/api/sounds/?page_size=20';
const WRITE = '/api/contact/';
const HOLD = `
  const { DatabaseSync } = require('node:sqlite');
  const database = new DatabaseSync(process.argv[1], { timeout: 5000 });
  database.exec('begin immediate');
  console.log('held');
  setTimeout(() => process.exit(), Number(process.argv[2]));
`;

interface Reply {
  readonly status: number;
  readonly ms: number;
  readonly retryAfter: string | null;
}

/** Prints the figures; throws if a goal is missed. */
export async function run(root = fileURLToPath(new URL('../..', import.meta.url))): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'bench-write-lock-'));
  const server = spawn(process.execPath, ['server/start.ts'], {
    cwd: root,
    env: { ...process.env, DATA_DIR: folder, PORT: '0', RATE_LIMITS: 'off', LOG_LEVEL: 'fatal' },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  try {
    const [line] = (await once(server.stdout, 'data')) as [Buffer];
    await attack(/http:\S+/.exec(String(line))?.[0] ?? '', join(folder, 'site.sqlite'));
  } finally {
    server.kill('SIGTERM');
    await once(server, 'exit');
    await rm(folder, { recursive: true, force: true });
  }
}

async function attack(url: string, file: string): Promise<void> {
  report('a read, one after the other', await oneAfterTheOther(() => call(url + READ)));
  report('a write, one after the other', await oneAfterTheOther(() => write(url)));

  const holder = spawn(process.execPath, ['-e', HOLD, file, String(HELD_MS)], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  await once(holder.stdout, 'data');
  const released = once(holder, 'exit');
  const [health, reads, writes] = await Promise.all([
    every(20, released, () => call(`${url}/healthz`)),
    every(50, released, () => call(url + READ)),
    every(250, released, () => write(url)),
  ]);
  console.log(`while another process held the lock for ${HELD_MS / 1000} s:`);
  report('/healthz', health);
  report('reads', reads);
  report('writes', writes);
  const after = await oneAfterTheOther(() => write(url), 20);
  report('writes afterwards', after);

  const misses = [
    ...(percentile(health, 0.95) < 50 ? [] : ['/healthz p95 is not under 50 ms']),
    ...(reads.every(({ status }) => status === 200) ? [] : ['a read failed']),
    ...(writes.every(({ status, ms }) => status < 300 || (status === 503 && ms < 6_000))
      ? []
      : ['a write was not answered in time, or not by 503']),
    ...(writes.every(({ status, retryAfter }) => status < 300 || retryAfter !== null)
      ? []
      : ['a refused write has no Retry-After']),
    ...(after.every(({ status }) => status < 300) ? [] : ['writes do not succeed afterwards']),
  ];
  if (misses.length > 0) throw new Error(misses.join('; '));
}

/** Starts calls at a fixed rate until then, whether or not earlier ones are answered; waits for all responses. */
async function every(pauseMs: number, end: Promise<unknown>, start: () => Promise<Reply>): Promise<Reply[]> {
  const calls: Promise<Reply>[] = [];
  const timer = setInterval(() => calls.push(start()), pauseMs);
  await end;
  clearInterval(timer);
  return Promise.all(calls);
}

async function oneAfterTheOther(start: () => Promise<Reply>, calls = SINGLE_CALLS): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (let index = 0; index < calls; index += 1) replies.push(await start());
  await wait(100);
  return replies;
}

function write(url: string): Promise<Reply> {
  const body = JSON.stringify({ name: '花子', email: 'hanako@example.test', message: 'こんにちは。' });
  return call(url + WRITE, { method: 'POST', headers: { 'content-type': 'application/json' }, body });
}

async function call(url: string, init?: RequestInit): Promise<Reply> {
  const startedAt = performance.now();
  try {
    const response = await fetch(url, { ...init, signal: AbortSignal.timeout(60_000) });
    await response.arrayBuffer();
    const retryAfter = response.headers.get('retry-after');
    return { status: response.status, ms: performance.now() - startedAt, retryAfter };
  } catch {
    return { status: 0, ms: performance.now() - startedAt, retryAfter: null };
  }
}

function report(name: string, replies: readonly Reply[]): void {
  const counts = new Map<number, number>();
  for (const { status } of replies) counts.set(status, (counts.get(status) ?? 0) + 1);
  const statuses = [...counts].map(([status, count]) => `${count} × ${status}`).join(', ');
  const [p50, p95, most] = [0.5, 0.95, 1].map((share) => percentile(replies, share).toFixed(1));
  console.log(`${name.padEnd(30)} p50 ${p50} ms  p95 ${p95} ms  most ${most} ms  ${statuses}`);
}

function percentile(replies: readonly Reply[], share: number): number {
  const sorted = replies.map(({ ms }) => ms).sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

if (process.argv[1] === fileURLToPath(import.meta.url)) await run(process.argv[2]);
