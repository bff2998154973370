import { spawn } from 'node:child_process';
import { mkdir, readFile, readdir, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { buffer } from 'node:stream/consumers';
import { Readable } from 'node:stream';
import { fileURLToPath } from 'node:url';
import { describe, expect, onTestFinished, test } from 'vitest';
import { updateProfilePicture } from '../../../contract/profile.ts';
import { createUser } from '../../../server/features/artists/users.ts';
import { makeFolder } from '../../support/folders.ts';
import { FORM_TYPE, toFormBytes } from '../../support/forms.ts';
import { logIn, withDatabaseOf } from '../../support/host.ts';
import { makePaper, makePngBomb } from '../../support/pictures.ts';

const RUNNER = fileURLToPath(new URL('../../support/run-server.ts', import.meta.url));
const MIB = 1024 * 1024;
const GROWTH_MAX = 50 * MIB;
const PAGES = `export const render = async () => new Response('page');`;

/** A host in a process of its own, warm, and a member of it. */
async function startProcess() {
  const folder = await makeFolder();
  const dataDir = join(folder, 'data');
  await mkdir(join(folder, 'dist', 'server'), { recursive: true });
  await mkdir(join(folder, 'dist', 'client'), { recursive: true });
  await writeFile(join(folder, 'dist', 'server', 'entry.mjs'), PAGES);
  const child = spawn(process.execPath, ['--max-semi-space-size=8', RUNNER, join(folder, 'dist')], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: '0',
      DATA_DIR: dataDir,
      RATE_LIMITS: 'off',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const url = await new Promise<string>((resolve) => {
    createInterface(child.stdout).on('line', (text) => {
      const line = JSON.parse(text) as Record<string, unknown>;
      if (line['msg'] === 'listening') resolve(String(line['url']));
    });
  });
  const access = await withDatabaseOf(dataDir, async (database) => {
    const id = await createUser(database, { username: '絵の人', email: 'painter@example.test' });
    return logIn(database, dataDir, id);
  });

  async function send(body: Readable): Promise<number> {
    return new Promise((resolve, reject) => {
      const sending = request(url + updateProfilePicture.path, {
        method: 'POST',
        agent: false,
        headers: { authorization: `Bearer ${access}`, 'content-type': FORM_TYPE },
      });
      sending.on('response', (response) => {
        void buffer(response).then(() => resolve(response.statusCode ?? 0), reject);
      });
      // After its answer the server stops listening to what goes on and on.
      sending.on('error', () => undefined);
      sending.on('close', () => resolve(0));
      body.pipe(sending);
    });
  }

  const toForm = (content: Uint8Array) =>
    Readable.from([toFormBytes([{ name: 'profile_picture', filename: 'a.png', content }])]);
  const small = await makePaper(300, 300).png().toBuffer();
  for (let warm = 0; warm < 20; warm += 1) expect(await send(toForm(small))).toBe(200);

  /** How far the memory of the process rises above what it has when `work` begins. */
  async function measureGrowth(work: () => Promise<void>): Promise<number> {
    await writeFile(`/proc/${child.pid}/clear_refs`, '5'); // the peak begins anew
    const before = await readStatus('VmRSS');
    await work();
    return (await readStatus('VmHWM')) - before;
  }
  async function readStatus(name: string): Promise<number> {
    const status = await readFile(`/proc/${child.pid}/status`, 'utf8');
    return Number(new RegExp(`^${name}:\\s+(\\d+) kB`, 'm').exec(status)?.[1]) * 1024;
  }
  return { send, toForm, measureGrowth, temporary: () => readdir(join(dataDir, 'temporary')) };
}

/** A form that goes on for so many bytes, made as it is sent. */
function toLongForm(bytes: number): Readable {
  const [head = Buffer.alloc(0)] = [toFormBytes([{ name: 'profile_picture', filename: 'a.png' }], false)];
  return Readable.from(
    (function* () {
      yield head;
      for (let sent = 0; sent < bytes; sent += 64 * 1024) yield Buffer.alloc(64 * 1024, 1);
    })(),
  );
}

describe.skipIf(process.platform !== 'linux')('memory', () => {
  test('stays flat under ten bodies of 50 MB at once, again and again', async () => {
    const { send, measureGrowth, temporary } = await startProcess();
    const growths: number[] = [];
    for (let round = 0; round < 3; round += 1) {
      const growth = await measureGrowth(async () => {
        const statuses = await Promise.all(Array.from({ length: 10 }, () => send(toLongForm(50 * MIB))));
        // Whoever goes on sending may find the connection closed before the answer is read.
        expect(statuses.filter((status) => status !== 413 && status !== 0)).toEqual([]);
        expect(statuses).toContain(413);
      });
      growths.push(growth);
    }
    console.info(
      `ten bodies of 50 MB: ${growths.map((growth) => Math.round(growth / MIB)).join(', ')} MiB more`,
    );
    // V8 lets some 64 MB of buffers pass before it first collects them; after that nothing is added.
    expect(growths[0]).toBeLessThan(GROWTH_MAX + 64 * MIB);
    expect(growths[1]).toBeLessThan(GROWTH_MAX);
    expect(growths[2]).toBeLessThan(GROWTH_MAX);
    await expect.poll(temporary).toEqual([]);
  });

  test('U5: stays flat under a PNG of 50,000 × 50,000, which is refused within 500 ms', async () => {
    const { send, toForm, measureGrowth } = await startProcess();
    const bomb = makePngBomb();
    let tookMs = 0;
    const growth = await measureGrowth(async () => {
      const startedAt = performance.now();
      expect(await send(toForm(bomb))).toBe(400);
      tookMs = performance.now() - startedAt;
    });
    console.info(
      `a bomb of ${Math.round(bomb.byteLength / 1024)} KB: ${Math.round(growth / MIB)} MiB more, ${Math.round(tookMs)} ms`,
    );
    expect(growth).toBeLessThan(GROWTH_MAX);
    expect(tookMs).toBeLessThan(500);
  });
});
