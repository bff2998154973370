import { Readable } from 'node:stream';
import { beforeEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { EXPORT_FILE_PATH, requestExport } from '#contract/accounts/own-data.ts';
import { BOUNDARY, FORM_TYPE } from '#support/http/forms.ts';
import { startHost } from '#support/http/host.ts';
import { PIECE_TYPE, UPLOADS_PATH } from '#support/sounds/resumable-uploads.ts';
import { addUploader } from '#support/sounds/uploads.ts';
import { startWeb, toHtml } from '#support/http/web.ts';
import { updateRows } from '#support/databases/databases.ts';

const PICTURE = `pictures/${'a'.repeat(64)}/320.webp`;
const LOG_IN = { 'content-type': 'application/json' };
const TUS = { 'tus-resumable': '1.0.0' };
const LENGTH = { 'content-length': '1000000' };
const PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="file"; filename="a.mp3"\r\n\r\n`;

let host: Awaited<ReturnType<typeof startHost>>;
let authorization: string;

beforeEach(async () => {
  host = await startHost();
  authorization = `Bearer ${await host.logIn(await addUploader(host.database, 'artist'))}`;
});

const toHead = (method: string, path: string, headers: Readonly<Record<string, string>> = {}) => {
  const lines = Object.entries({ host: 'x', ...headers }).map(([name, value]) => `${name}: ${value}\r\n`);
  return `${method} ${path} HTTP/1.1\r\n${lines.join('')}\r\n`;
};

async function openUpload(): Promise<string> {
  const headers = { authorization, ...TUS, 'upload-length': '1000000' };
  const created = await fetch(host.url + UPLOADS_PATH, { method: 'POST', headers });
  return created.headers.get('location') ?? '';
}

async function openExport(): Promise<string> {
  // More than the buffers of a connection that nobody reads.
  await updateRows(host.database, 'users', { bio: 'x'.repeat(12_000_000) });
  const headers = { authorization, ...LOG_IN };
  const reply = await fetch(host.url + requestExport.path, { method: 'POST', headers, body: '{}' });
  const { token } = (await reply.json()) as { token: string };
  return toHead('GET', `${EXPORT_FILE_PATH}?token=${token}`);
}

/** What a client sends before it leaves, and what it has received by then. */
const ABORTED: [string, () => Promise<string> | string, RegExp | null][] = [
  ['before the JSON of a call', () => toHead('POST', '/api/account/login/', { ...LOG_IN, ...LENGTH }), null],
  [
    'in the JSON of a call',
    () => `${toHead('POST', '/api/account/login/', { ...LOG_IN, ...LENGTH })}{"a":`,
    null,
  ],
  [
    'in a chunk of the JSON of a call',
    () => `${toHead('POST', '/api/account/login/', { ...LOG_IN, 'transfer-encoding': 'chunked' })}9\r\n{"a":`,
    null,
  ],
  [
    'in a file of a form',
    () =>
      toHead('POST', '/api/sounds/', { authorization, 'content-type': FORM_TYPE, ...LENGTH }) + PART + 'xxxx',
    null,
  ],
  [
    'in a piece of an upload',
    async () => {
      const headers = { authorization, ...TUS, ...LENGTH, 'content-type': PIECE_TYPE, 'upload-offset': '0' };
      return `${toHead('PATCH', await openUpload(), headers)}xxxx`;
    },
    null,
  ],
  [
    'in a streamed file',
    async () => {
      await host.storage.put(PICTURE, Buffer.alloc(12_000_000));
      return toHead('GET', `/media/${PICTURE}`);
    },
    /200 OK/,
  ],
  ['in a streamed reply of the API', openExport, /200 OK/],
];

/** Nothing but one line for the request. */
function expectOneLine(lines: readonly string[]): void {
  expect(lines.filter((line) => line.includes('"msg":"request"'))).toHaveLength(1);
  expect(lines.filter((line) => /"level":[456]0|"err"|stack/.test(line))).toEqual([]);
}

describe('P16 a client that leaves', () => {
  test.each(ABORTED)('%s is one line of the log', async (_, prepare, received) => {
    const spies = (['info', 'warn', 'error'] as const).map((method) => vi.spyOn(console, method));
    onTestFinished(() => void vi.restoreAllMocks());
    const sent = await prepare();
    const { socket, read } = await host.connect();
    host.lines.length = 0;
    socket.write(sent);
    if (received !== null) {
      await expect.poll(read).toMatch(received);
      socket.pause();
    }
    socket.destroy();
    await expect.poll(() => host.lines.join('')).toContain('"msg":"request"');
    await host.close();
    expectOneLine(host.lines);
    expect(spies.flatMap(({ mock }) => mock.calls)).toEqual([]);
  });

  test.each([
    ['while a page is rendered', '/'],
    ['while a file is opened', `/media/${PICTURE}`],
  ])('%s is one line of the log', async (_, path) => {
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    async function hold<Result>(result: Result): Promise<Result> {
      begun.resolve();
      await gate.promise;
      return result;
    }
    const { storage } = host;
    await storage.put(PICTURE, Buffer.from('picture'));
    const web = await startWeb({
      render: () => hold(toHtml('late')),
      storage: { ...storage, open: (key, range) => hold(Readable.from([key, String(range)])) },
    });
    const leaving = new AbortController();
    const asked = fetch(web.url + path, { signal: leaving.signal });
    await begun.promise;
    leaving.abort();
    await expect(asked).rejects.toThrow('aborted');
    await expect.poll(() => web.lines.join('')).toContain('"status":499');
    gate.resolve();
    expect((await web.get('/healthz')).status).toBe(200);
    await web.listening.drain(100);
    expectOneLine(web.lines.filter((line) => !line.includes('/healthz')));
  });
});
