import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { makeFolder } from '../../support/folders.ts';
import { logIn, withDatabaseOf } from '../../support/host.ts';
import { PIECE_TYPE, UPLOADS_PATH } from '../../support/resumable-uploads.ts';
import { addUploader } from '../../support/uploads.ts';

const RUNNER = fileURLToPath(new URL('../../support/run-server.ts', import.meta.url));
const MIB = 1024 * 1024;
const PAGES = `export const render = async () => new Response('page');`;

describe.skipIf(process.platform !== 'linux')('uploads in pieces', () => {
  // When the collector comes is up to it: what leaks, leaks each time.
  test('ten of 100 MB at once add less than 100 MB of memory', { timeout: 120_000, retry: 2 }, async () => {
    const folder = await makeFolder();
    const dataDir = join(folder, 'data');
    await mkdir(join(folder, 'dist', 'server'), { recursive: true });
    await mkdir(join(folder, 'dist', 'client'), { recursive: true });
    await writeFile(join(folder, 'dist', 'server', 'entry.mjs'), PAGES);
    const child = spawn(process.execPath, ['--max-semi-space-size=8', RUNNER, join(folder, 'dist')], {
      env: { PATH: process.env['PATH'], NODE_ENV: 'production', PORT: '0', DATA_DIR: dataDir },
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    onTestFinished(() => void child.kill('SIGKILL'));
    const url = await new Promise<string>((resolve) => {
      createInterface(child.stdout).on('line', (text) => {
        const line = JSON.parse(text) as Record<string, unknown>;
        if (line['msg'] === 'listening') resolve(String(line['url']));
      });
    });
    const access = await withDatabaseOf(dataDir, async (database) =>
      logIn(database, dataDir, await addUploader(database, 'artist')),
    );

    const slice = Buffer.alloc(64 * 1024, 7);
    const headers = { authorization: `Bearer ${access}`, 'tus-resumable': '1.0.0' };
    async function send(bytes: number, pieces: number): Promise<string> {
      const length = { 'upload-length': String(bytes) };
      const created = await fetch(url + UPLOADS_PATH, { method: 'POST', headers: { ...headers, ...length } });
      const address = created.headers.get('location') ?? '';
      for (let piece = 0; piece < pieces; piece += 1) {
        const status = await sendPiece(address, (piece * bytes) / pieces, bytes / pieces);
        if (status !== 204) throw new Error(`a piece was answered ${status}`);
      }
      return address;
    }
    async function sendPiece(address: string, offset: number, bytes: number): Promise<number> {
      const about = { 'content-type': PIECE_TYPE, 'upload-offset': String(offset) };
      const sending = request(url + address, {
        method: 'PATCH',
        agent: false,
        headers: { ...headers, ...about, 'content-length': bytes },
      });
      const answered = new Promise<number>((resolve, reject) => {
        sending.on('response', (response) => resolve(response.resume().statusCode ?? 0)).on('error', reject);
      });
      for (let sent = 0; sent < bytes; sent += slice.byteLength) {
        if (!sending.write(slice)) await new Promise((resolve) => sending.once('drain', resolve));
      }
      sending.end();
      return answered;
    }
    async function readStatus(name: string): Promise<number> {
      const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
      return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
    }

    // V8 lets some 64 MB of buffers pass before it first collects them.
    await Promise.all([1, 2, 3, 4, 5, 6].map(() => send(30 * MIB, 2)));
    await writeFile(`/proc/${child.pid}/clear_refs`, '5'); // the peak begins anew
    const before = await readStatus('VmRSS');
    const startedAt = performance.now();
    // Half of them in one piece, as a client may.
    const addresses = await Promise.all(
      Array.from({ length: 10 }, (_, index) => send(100 * MIB, index % 2 === 0 ? 25 : 1)),
    );
    const grown = (await readStatus('VmHWM')) - before;
    const sentMs = Math.round(performance.now() - startedAt);
    console.info(`ten uploads of 100 MB in pieces: ${Math.round(grown / MIB)} MiB more, ${sentMs} ms`);
    expect(grown).toBeLessThan(100 * MIB);
    const there = await readdir(join(dataDir, 'uploads'));
    for (const address of addresses) expect(there).toContain(address.slice(UPLOADS_PATH.length));
  });
});
