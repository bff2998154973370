import { spawn } from 'node:child_process';
import { Agent, get } from 'node:http';
import { mkdir, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { findFreePort } from '#server/web/free-port.ts';
import { makeFolder } from '#support/files/folders.ts';
import { exitOf } from '#support/processes/exit.ts';

const RUNNER = fileURLToPath(new URL('../support/processes/run-server.ts', import.meta.url));

/** Pages of the test, in the form of a build. */
const PAGES = `
export async function render(request, locals) {
  const { pathname, searchParams } = new URL(request.url);
  if (pathname === '/slow') await new Promise((resolve) => setTimeout(resolve, Number(searchParams.get('search') ?? 0)));
  if (pathname === '/forgotten') void Promise.reject(new Error('nobody waits for this'));
  if (pathname === '/api-by-page') {
    const { _data } = await locals.fetchApi('http://api.internal/api/site-config');
    return Response.json(_data);
  }
  if (pathname === '/settings') return Response.json(locals.settings);
  return new Response('<h1>' + pathname + '</h1>', { headers: { 'content-type': 'text/html' } });
}`;

async function startProcess(env: Record<string, string> = {}) {
  const folder = await makeFolder();
  await mkdir(join(folder, 'dist', 'server'), { recursive: true });
  await mkdir(join(folder, 'dist', 'client'), { recursive: true });
  await writeFile(join(folder, 'dist', 'server', 'entry.mjs'), PAGES);
  const child = spawn(process.execPath, [RUNNER, join(folder, 'dist')], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'],
      PORT: '0',
      DATA_DIR: join(folder, 'data'),
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const lines: Record<string, unknown>[] = [];
  const errors: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (text) => {
      const line = JSON.parse(text) as Record<string, unknown>;
      lines.push(line);
      if (line['msg'] === 'listening') resolve(String(line['url']));
    });
    child.once('exit', (code) => reject(new Error(`exit ${code}: ${errors.join('')}`)));
  });
  return { child, url, lines, errors, dataDir: join(folder, 'data') };
}

/** Sends requests over kept-alive connections until the server stops listening. */
async function visitUntilRefused(url: string, agent: Agent) {
  const failures: string[] = [];
  for (let count = 0; ; count += 1) {
    const result = await new Promise<string>((resolve) => {
      const request = get(url, { agent }, (response) => {
        response.resume();
        response.once('end', () => resolve(String(response.statusCode)));
        response.once('error', (error) => resolve(error.message));
      });
      request.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    });
    if (result === 'ECONNREFUSED') return { count, failures };
    if (result !== '200') failures.push(result);
  }
}

describe('the process', () => {
  test('starts on an empty folder, serves pages and API, and keeps its secrets private', async () => {
    const { url, dataDir } = await startProcess();
    expect(await (await fetch(`${url}/sounds`)).text()).toBe('<h1>/sounds</h1>');
    expect((await fetch(`${url}/api/site-config`)).status).toBe(200);
    expect(await (await fetch(`${url}/api-by-page`)).json()).toHaveProperty('maintenance_mode');
    expect(await (await fetch(`${url}/readyz`)).json()).toMatchObject({ status: 'ready' });
    for (const name of await readdir(join(dataDir, 'secrets'))) {
      expect((await stat(join(dataDir, 'secrets', name))).mode & 0o777).toBe(0o600);
    }
  });

  test('gives pages the public settings', async () => {
    const { url } = await startProcess({
      SITE_NAME: '音の店',
      SITE_URL: 'https://oto.example/',
      MAINTENANCE: 'true',
    });
    expect(await (await fetch(`${url}/settings`)).json()).toEqual({
      siteName: '音の店',
      siteUrl: 'https://oto.example',
      apiOrigin: '',
      filesOrigin: '',
      donationHost: 'ofuse.me',
      isMaintenance: true,
      adProviders: ['house'],
      gptAdUnit: '',
      securityContact: '',
      securityPolicy: '',
    });
  });

  test('serves no API and stores no data when the API is on another host', async () => {
    const { url, dataDir } = await startProcess({ API_ORIGIN: 'http://127.0.0.1:9' });
    expect((await fetch(`${url}/api/site-config`)).status).toBe(404);
    expect((await fetch(`${url}/media/sounds/a/b.mp3`)).status).toBe(404);
    expect((await fetch(`${url}/readyz`)).status).toBe(200);
    await expect(stat(dataDir)).rejects.toThrow('ENOENT');
  });

  test('refuses to start and names every problem', async () => {
    await expect(startProcess({ PORT: 'x', LOG_LEVEL: 'loud' })).rejects.toThrow(/PORT[^]*LOG_LEVEL/);
  });

  test('refuses to start without PostgreSQL, in one sentence', async () => {
    const DATABASE_URL = `postgres://site:secret@127.0.0.1:${await findFreePort('127.0.0.1')}/site`;
    await expect(startProcess({ DATABASE_URL })).rejects.toThrow(
      /OperatorError: DATABASE_URL: connect ECONNREFUSED/,
    );
  });

  test('survives an unhandled rejection', async () => {
    const { url, lines } = await startProcess();
    expect((await fetch(`${url}/forgotten`)).status).toBe(200);
    expect((await fetch(`${url}/`)).status).toBe(200);
    await wait(600);
    expect(lines.some((line) => line['msg'] === 'unhandled rejection')).toBe(true);
  });
});

describe('SIGTERM', () => {
  test('finishes pages in progress, refuses new connections, and exits 0', async () => {
    const { child, url, lines } = await startProcess();
    const slow = fetch(`${url}/slow?search=800`);
    await wait(200);
    child.kill('SIGTERM');
    await wait(100);
    await expect(fetch(`${url}/new`)).rejects.toThrow();
    const response = await slow;
    expect([response.status, await response.text()]).toEqual([200, '<h1>/slow</h1>']);
    expect(response.headers.get('connection')).toBe('close');
    expect(await exitOf(child)).toBe(0);
    expect(lines.at(-1)).toMatchObject({ msg: 'stopped' });
  });

  test('P13 ends a process whose log nobody reads any more', async () => {
    const { child } = await startProcess();
    child.stdout.destroy();
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
  });

  test('P13 ends a process whose log is not read on', async () => {
    const { child, url } = await startProcess();
    child.stdout.pause();
    for (let time = 0; time < 60; time += 1) await fetch(`${url}/${'a'.repeat(8_000)}`);
    child.kill('SIGTERM');
    await exitOf(child);
  });

  test('P13 ends a process at once at the second signal', async () => {
    const { child, url } = await startProcess();
    const slow = fetch(`${url}/slow?search=8000`).catch(() => 'ended');
    await wait(200);
    child.kill('SIGTERM');
    await wait(200);
    child.stdout.destroy();
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(1);
    expect(await slow).toBe('ended');
  });

  test('under load completes every accepted request', async () => {
    const { child, url, lines } = await startProcess();
    const agent = new Agent({ keepAlive: true, maxSockets: 20 });
    const visitors = Promise.all(
      Array.from({ length: 20 }, () => visitUntilRefused(`${url}/slow?search=5`, agent)),
    );
    // Far fewer than the lines that the log has for one network.
    await expect.poll(() => lines.length).toBeGreaterThan(500);
    child.kill('SIGTERM');
    expect(await exitOf(child)).toBe(0);
    const visits = await visitors;
    expect(visits.flatMap(({ failures }) => failures)).toEqual([]);
    const served200 = visits.reduce((sum, { count }) => sum + count, 0);
    expect(served200).toBeGreaterThan(200);
    const served = lines.filter((line) => line['msg'] === 'request');
    expect(served.every((line) => line['status'] === 200)).toBe(true);
    expect(served).toHaveLength(served200);
  });
});
