import { spawn } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { get } from 'node:http';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '#server/web/free-port.ts';
import { locateEmptyDatabase } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { exitOf } from '#support/processes/exit.ts';
import { startS3 } from '#support/processes/s3.ts';

const RUNNER = fileURLToPath(new URL('../support/processes/run-server.ts', import.meta.url));

/** Pages of the test, in the form of a build. */
const PAGES = `
export async function render(request) {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/slow') await new Promise((resolve) => setTimeout(resolve, Number(searchParams.get('ms'))));
  return new Response(String(process.pid), { headers: { 'content-type': 'text/html' } });
}`;

/**
 * Free ports, one after another. They are below those that the system gives to connections, which could take one before
 * a worker listens on it.
 */
async function findPorts(count: number): Promise<number> {
  for (;;) {
    const first = randomInt(10_000, 30_000);
    const ports = Array.from({ length: count }, (_, index) => findFreePort('127.0.0.1', first + index));
    if ((await Promise.allSettled(ports)).every(({ status }) => status === 'fulfilled')) return first;
  }
}

/** A primary and its workers. */
async function startWorkers(
  env: Record<string, string> = {},
  onEnd: (end: () => Promise<void>) => void = onTestFinished,
) {
  const folder = await makeFolder(onEnd);
  await mkdir(join(folder, 'dist', 'server'), { recursive: true });
  await mkdir(join(folder, 'dist', 'client'), { recursive: true });
  await writeFile(join(folder, 'dist', 'server', 'entry.mjs'), PAGES);
  const child = spawn(process.execPath, [RUNNER, join(folder, 'dist')], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      WORKERS: '2',
      PORT: String(await findPorts(1)),
      DATA_DIR: join(folder, 'data'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  // Its workers end with it.
  onEnd(async () => void child.kill('SIGKILL'));
  const lines: Record<string, unknown>[] = [];
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (text) => {
      const line = JSON.parse(text) as Record<string, unknown>;
      lines.push(line);
      if (line['msg'] === 'all workers serve') resolve(String(line['url']));
    });
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${errors.join('')}`)));
  });
  const count = (msg: string) => lines.filter((line) => line['msg'] === msg).length;
  return { child, url, lines, count };
}

/** The process that answered, on a connection of its own; or the error. */
function ask(url: string, onConnect?: () => void): Promise<string> {
  return new Promise((resolve) => {
    const request = get(url, { agent: false }, (response) => {
      let text = '';
      response.on('data', (chunk: Buffer) => (text += chunk.toString()));
      response.once('end', () => resolve(text));
      response.once('error', (error) => resolve(error.message));
    });
    request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    request.once('socket', (socket) => socket.once('connect', () => onConnect?.()));
  });
}

/** The processes that answer, which Linux chooses by a hash of the connection's addresses. */
async function listPids(url: string): Promise<string[]> {
  const pids = new Set<string>();
  for (let index = 0; index < 30; index += 1) pids.add(await ask(`${url}/`));
  return [...pids];
}

/** Waits until two other processes answer than the given ones. */
async function untilReplaced(url: string, pids: readonly string[]): Promise<void> {
  const others = new Set<string>();
  while (others.size < 2) {
    const answer = await ask(`${url}/`);
    if (/^\d+$/.test(answer) && !pids.includes(answer)) others.add(answer);
    await wait(10);
  }
}

/** Calls that are limited to 20, each on a connection of its own. Returns the statuses of the answers. */
async function requestResets(url: string, calls: number): Promise<number[]> {
  const statuses: number[] = [];
  for (let index = 0; index < calls; index += 1) {
    const answer = await fetch(`${url}/api/reset-password/`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', connection: 'close' },
      body: JSON.stringify({ token: 'wrong', password: 'a-long-password-1' }),
    });
    statuses.push(answer.status);
  }
  return statuses;
}

/** The tests change one site in their order. */
describe('WORKERS=2', { timeout: 60_000 }, () => {
  const ends: (() => Promise<void>)[] = [];
  let metricsPort: number;
  let site: Awaited<ReturnType<typeof startWorkers>>;

  beforeAll(async () => {
    metricsPort = await findPorts(2);
    site = await startWorkers({ METRICS_PORT: String(metricsPort) }, (end) => void ends.push(end));
  });
  afterAll(async () => {
    for (const end of ends.toReversed()) await end();
  });

  test('serves one port with two processes, and says so once', async () => {
    const { child, url, count } = site;
    const pids = await listPids(url);
    expect(pids).toHaveLength(2);
    expect(pids).not.toContain(String(child.pid));
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready' });
    expect(count('all workers serve')).toBe(1);
    await expect.poll(() => count('listening')).toBe(2);
    await expect.poll(() => count('this process runs the scheduled jobs of the site')).toBe(1);
  });

  test('answers for metrics on a port of each worker', async () => {
    for (const port of [metricsPort, metricsPort + 1]) {
      const text = await (await fetch(`http://127.0.0.1:${port}/metrics`)).text();
      expect(text).toContain('site_queue_length');
    }
  });

  test('counts the limits of callers for all workers together', async () => {
    const { url } = site;
    const statuses = await requestResets(url, 30);
    expect(statuses.indexOf(429)).toBe(20);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
  });

  test('goes on when a worker is killed, and replaces it', async () => {
    const { url, count } = site;
    const [first = '', second = ''] = await listPids(url);
    process.kill(Number(first), 'SIGKILL');
    const answers: string[] = [];
    while (!answers.some((answer) => /^\d+$/.test(answer) && answer !== second)) {
      answers.push(await ask(`${url}/`));
      await wait(10);
    }
    // The last one is the answer of the new one. A connection that waited for the killed one may be reset.
    expect(answers.filter((answer) => !/^\d+$/.test(answer)).length).toBeLessThanOrEqual(1);
    expect(answers.at(-1)).toMatch(/^\d+$/);
    expect(answers.at(-1)).not.toBe(first);
    expect(answers).toContain(second);
    const pids = await listPids(url);
    expect(pids).toHaveLength(2);
    expect(pids).not.toContain(first);
    await expect.poll(() => count('a worker ended, another one will be started')).toBe(1);
  });

  test('replaces a worker that was told to end, after it has drained', async () => {
    const { url } = site;
    const slow = ask(`${url}/slow?ms=700`);
    await wait(200);
    const pids = await listPids(url);
    process.kill(Number(pids[0]), 'SIGTERM');
    process.kill(Number(pids[1]), 'SIGTERM');
    expect(await slow).toMatch(/^\d+$/);
    await untilReplaced(url, pids);
  });

  test('drains all workers at SIGTERM, and exits 0', async () => {
    const { child, url, count } = site;
    const before = count('stopped');
    const slow = [ask(`${url}/slow?ms=900`), ask(`${url}/slow?ms=901`)];
    await wait(200);
    child.kill('SIGTERM');
    await wait(300);
    expect(await ask(`${url}/new`)).toBe('ECONNREFUSED');
    for (const answer of await Promise.all(slow)) expect(answer).toMatch(/^\d+$/);
    expect(await exitOf(child)).toBe(0);
    expect(count('stopped')).toBe(before + 2);
  });
});

describe('WORKERS=2 on PostgreSQL and a bucket', { timeout: 60_000 }, () => {
  test('has one site: one runs the jobs, limits are common, and a killed worker is replaced', async () => {
    const place = await locateEmptyDatabase('postgres');
    onTestFinished(() => place.remove());
    const { url, count } = await startWorkers({ ...place.env, STORAGE_URL: (await startS3()).url });
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready' });
    await expect.poll(() => count('this process runs the scheduled jobs of the site')).toBe(1);
    const [first = ''] = await listPids(url);
    process.kill(Number(first), 'SIGKILL');
    await expect.poll(() => count('a worker ended, another one will be started')).toBe(1);
    await untilReplaced(url, [first]);
    const statuses = await requestResets(url, 30);
    expect(statuses.filter((status) => status === 429)).toHaveLength(10);
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready' });
  });
});

describe('a start with WORKERS=2', { timeout: 60_000 }, () => {
  test('P13 ends at SIGTERM when nobody reads the log any more', async () => {
    const { child } = await startWorkers();
    child.stdout.destroy();
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });

  test('is refused when the port is in use, also by workers of another site', async () => {
    const { url } = await startWorkers();
    await expect(startWorkers({ PORT: new URL(url).port })).rejects.toThrow(/exit 1: [^]*EADDRINUSE/);
  });

  test('ends at once at the second signal', async () => {
    const { child, url } = await startWorkers();
    const slow = ask(`${url}/slow?ms=8000`);
    await wait(200);
    child.kill('SIGTERM');
    await wait(300);
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(1);
    // It did not wait for the request in progress.
    expect(await slow).toBe('ECONNRESET');
    expect(await ask(`${url}/`)).toBe('ECONNREFUSED');
  });

  test('does not start when a worker cannot', async () => {
    const file = join(await makeFolder(), 'file');
    await writeFile(file, '');
    await expect(startWorkers({ DATA_DIR: file })).rejects.toThrow(/exit 1: [^]*(?:EEXIST|ENOTDIR)/);
  });
});
