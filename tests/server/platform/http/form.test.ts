import { readFile, readdir } from 'node:fs/promises';
import * as fc from 'fast-check';
import { Hono } from 'hono';
import { pino } from 'pino';
import { beforeEach, describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { defineEndpoint } from '#contract/calls/endpoint.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { identify } from '#server/features/accounts/sessions.ts';
import type { ApiEnv, Platform } from '#server/platform/http/context.ts';
import { byMember } from '#server/platform/http/access.ts';
import { answerFailure } from '#server/platform/http/failures.ts';
import type { Form } from '#server/platform/http/form.ts';
import { formRoute, serveRoutes } from '#server/platform/http/route.ts';
import { createDiskSpace } from '#server/platform/storage/disk-space.ts';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { type TemporaryFiles, openTemporaryFiles } from '#server/platform/storage/temporary-files.ts';
import { useDatabase } from '#support/databases/use-database.ts';
import { type TestApi, createTestApi } from '#support/http/api.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { type Part, BOUNDARY, FORM_TYPE, toFormBytes, toStream } from '#support/http/forms.ts';

const FILE_BYTES_MAX = 100_000;
const sendSong = defineEndpoint({
  method: 'POST',
  path: '/api/test/songs/',
  form: { files: ['song', 'cover'], texts: ['title', 'tag'], fileBytesMax: FILE_BYTES_MAX },
  reply: v.unknown(),
});
const sendSecret = defineEndpoint({
  method: 'POST',
  path: '/api/test/secrets/',
  form: { files: ['secret'], fileBytesMax: FILE_BYTES_MAX },
  reply: v.unknown(),
});
const SONGS_AN_HOUR = 50;
const limit = { name: 'test-songs', points: SONGS_AN_HOUR, perSec: 3_600 };
const secretLimit = { ...limit, name: 'test-secrets' };

const song = (content: string | Uint8Array = 'la la'): Part => ({
  name: 'song',
  filename: 'a.mp3',
  type: 'audio/mpeg',
  content,
});

const halve = (bytes: Buffer): [Buffer, Buffer] => {
  const middle = Math.floor(bytes.byteLength / 2);
  return [bytes.subarray(0, middle), bytes.subarray(middle)];
};

describe('a form', () => {
  const database = useDatabase(() => openTestDatabase('sqlite'));
  let api: TestApi;
  let folder: string;
  let member: string;
  /** The forms that the routes received, each with the files on disk at the time. */
  let received: { name: string; filename: string; sizeBytes: number; onDisk: Buffer; read: Buffer }[];

  beforeEach(async () => {
    member = await createUser(database, { username: 'sender', email: 'sender@example.test' });
    folder = await makeFolder();
    open(await openTemporaryFiles(folder));
  });

  function open(temporaryFiles: TemporaryFiles): void {
    received = [];
    const rateLimits = createRateLimits(database);
    const testApi = createTestApi(database);
    const { accessTokens, clock } = testApi;
    const platform = { database, accessTokens, clock, rateLimits, temporaryFiles } as unknown as Platform;
    const app = new Hono<ApiEnv>({ strict: false });
    api = { ...testApi, app };
    app.onError(answerFailure(pino({ level: 'silent' })));
    const keep = async (form: Form) => {
      for (const [name, { filename, sizeBytes, path, read }] of form.files) {
        received.push({ name, filename, sizeBytes, onDisk: await readFile(path), read: await read() });
      }
    };
    const song = formRoute(
      sendSong,
      { caller: 'member', owner: 'own', limits: [byMember(limit)] },
      {},
      async ({ form, caller }) => {
        await keep(form);
        const titles = form.texts.get('title') ?? [];
        if (titles.includes('fail')) throw new Error('the service failed');
        return { caller: caller.id, texts: Object.fromEntries(form.texts) };
      },
    );
    const secret = formRoute(
      sendSecret,
      { caller: 'member', owner: 'own', limits: [byMember(secretLimit)] },
      { areFilesSealed: true },
      async ({ form }) => {
        await keep(form);
        return {};
      },
    );
    const identifyHere = (token: string) => identify(platform, token);
    const deps = { rateLimits, identify: identifyHere, requireStaffLogIn: () => undefined };
    serveRoutes(app, platform, [song, secret], deps);
  }

  async function send(
    body: Uint8Array | ReadableStream<Uint8Array>,
    headers: Readonly<Record<string, string>> = {},
    path: string = sendSong.path,
  ): Promise<Response> {
    const authorization = `Bearer ${await api.logIn(member)}`;
    return api.app.request(path, {
      method: 'POST',
      headers: { authorization, 'content-type': FORM_TYPE, ...headers },
      body: body as BodyInit,
      ...(body instanceof ReadableStream && { duplex: 'half' }),
    });
  }

  /** No file remains after any answer. */
  async function expectRefusal(response: Response, status: number, key: string): Promise<void> {
    const body = (await response.json()) as object;
    expect({ status: response.status, keys: Object.keys(body) }).toEqual({ status, keys: [key] });
    expect(Object.values(body)[0]).toMatch(/[ぁ-んァ-ン一-龠]/);
    expect(received).toEqual([]);
    expect(await readdir(folder)).toEqual([]);
  }

  test('arrives with its files on disk and its texts in order', async () => {
    const content = Buffer.alloc(FILE_BYTES_MAX, 'x');
    const response = await send(
      toFormBytes([
        { name: 'title', content: '夜明け' },
        song(content),
        { name: 'tag', content: 'b' },
        { name: 'tag', content: 'a' },
        { name: 'cover', filename: '表紙.png', content: '' },
      ]),
    );
    expect(await response.json()).toEqual({ caller: member, texts: { title: ['夜明け'], tag: ['b', 'a'] } });
    expect(received.map(({ name, filename, sizeBytes }) => [name, filename, sizeBytes])).toEqual([
      ['song', 'a.mp3', FILE_BYTES_MAX],
      ['cover', '表紙.png', 0],
    ]);
    expect(received[0]?.onDisk.equals(content)).toBe(true);
    expect(received[0]?.read.equals(content)).toBe(true);
    expect(await readdir(folder)).toEqual([]);
  });

  test('arrives the same in chunks of any size', async () => {
    const content = Buffer.from(Array.from({ length: 3_000 }, (_, index) => index % 256));
    const bytes = toFormBytes([song(content), { name: 'title', content: 'a\r\nb' }]);
    for (const size of [1, 7, 64, 1_024, bytes.byteLength]) {
      const response = await send(toStream(bytes, size));
      expect(await response.json()).toMatchObject({ texts: { title: ['a\r\nb'] } });
      expect(received.at(-1)?.read.equals(content)).toBe(true);
    }
  });

  test('leaves nothing on disk when the service fails', async () => {
    expect((await send(toFormBytes([song(), { name: 'title', content: 'fail' }]))).status).toBe(500);
    expect(received).toHaveLength(1);
    expect(await readdir(folder)).toEqual([]);
  });

  test('has only ciphertext on disk where files are sealed', async () => {
    const content = Buffer.alloc(50_000, 'SECRET');
    const part = { name: 'secret', filename: 's.png', content };
    const response = await send(toStream(toFormBytes([part])), {}, sendSecret.path);
    expect(response.status).toBe(200);
    const [file] = received;
    expect(file?.read.equals(content)).toBe(true);
    expect(file?.onDisk.byteLength).toBe(content.byteLength);
    expect(file?.onDisk.includes('SECRET')).toBe(false);
  });

  test('without a session is refused before any of it is read', async () => {
    let isRead = false;
    const body = new ReadableStream<Uint8Array>(
      {
        pull(controller) {
          isRead = true;
          controller.enqueue(Buffer.from('x'));
        },
      },
      { highWaterMark: 0 },
    );
    const init = { method: 'POST', headers: { 'content-type': FORM_TYPE }, body, duplex: 'half' };
    const response = await api.app.request(sendSong.path, init as RequestInit);
    await expectRefusal(response, 401, 'detail');
    expect(isRead).toBe(false);
  });

  test('beyond the rate limit is refused before any of it is read', async () => {
    for (let sent = 0; sent < SONGS_AN_HOUR; sent += 1) await send(Buffer.from('x'));
    let isRead = false;
    const body = new ReadableStream<Uint8Array>({ pull: () => void (isRead = true) }, { highWaterMark: 0 });
    const response = await send(body);
    expect(response.headers.get('retry-after')).not.toBeNull();
    await expectRefusal(response, 429, 'detail');
    expect(isRead).toBe(false);
  });

  test.each([
    ['one byte too much', (bytes: Buffer) => bytes, {}],
    ['one byte too much, in pieces', (bytes: Buffer) => toStream(bytes), {}],
    [
      'one byte too much, and a length that lies',
      (bytes: Buffer) => toStream(bytes),
      { 'content-length': '9' },
    ],
  ])('U10: with %s is refused by the part’s name', async (_, toBody, headers) => {
    const bytes = toFormBytes([song(Buffer.alloc(FILE_BYTES_MAX + 1))]);
    await expectRefusal(await send(toBody(bytes), headers), 413, 'song');
  });

  test('U10: that never ends is cut at the length of the longest form', async () => {
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      pull(controller) {
        pieces += 1;
        controller.enqueue(
          pieces === 1 ? Buffer.from(`--${BOUNDARY}\r\nX: y\r\n\r\n`) : Buffer.alloc(100_000),
        );
      },
    });
    await expectRefusal(await send(body), 413, 'detail');
    expect(pieces).toBeLessThan(40);
  });

  test('U10: with a declared length above the limit is not read', async () => {
    await expectRefusal(await send(toFormBytes([song()]), { 'content-length': '99999999' }), 413, 'detail');
  });

  test('U10: is not decompressed', async () => {
    await expectRefusal(await send(toFormBytes([song()]), { 'content-encoding': 'gzip' }), 415, 'detail');
  });

  test.each<[what: string, parts: readonly Part[], status: number, key: string]>([
    ['a part of an unknown name', [song(), { name: 'is_staff', content: '1' }], 400, 'is_staff'],
    ['a part named like a property', [{ name: '__proto__', content: '1' }], 400, '__proto__'],
    ['an unknown file', [{ name: 'virus', filename: 'v.exe', content: 'x' }], 400, 'virus'],
    ['a part without a name', [{ content: 'x' }], 400, 'detail'],
    ['the same file twice', [song('a'), song('b')], 400, 'song'],
    ['a text where a file belongs', [{ name: 'song', content: 'la' }], 400, 'song'],
    ['a file where a text belongs', [{ name: 'title', filename: 'a.txt', content: 'la' }], 400, 'title'],
    ['39 parts', Array.from({ length: 39 }, () => ({ name: 'tag', content: 'x' })), 400, 'detail'],
    ['10,000 parts', Array.from({ length: 10_000 }, () => ({ header: 'X: y' })), 400, 'detail'],
    ['a header of 1 MB', [{ header: `X: ${'y'.repeat(1_000_000)}` }], 400, 'detail'],
    ['a text of more than 64 KB', [{ name: 'title', content: 'x'.repeat(65_537) }], 413, 'title'],
    [
      'a form within a form',
      [
        {
          header: 'Content-Disposition: form-data; name="song"\r\nContent-Type: multipart/mixed; boundary=y',
        },
      ],
      400,
      'song',
    ],
  ])('U11: with %s is refused', async (_, parts, status, key) => {
    await expectRefusal(await send(toFormBytes(parts)), status, key);
    await expectRefusal(await send(toStream(toFormBytes(parts))), status, key);
  });

  test('accepts 38 parts, and a text of exactly 64 KB', async () => {
    const tags = Array.from({ length: 37 }, () => ({ name: 'tag', content: 'x'.repeat(65_536) }));
    expect((await send(toFormBytes([...tags, song()]))).status).toBe(200);
  });

  test.each<[what: string, body: string | Buffer, type: string, status: number]>([
    ['without a boundary', toFormBytes([song()]), 'multipart/form-data', 400],
    ['with an empty boundary', toFormBytes([song()]), 'multipart/form-data; boundary=', 400],
    ['with another boundary', toFormBytes([song()]), 'multipart/form-data; boundary=other', 400],
    [
      'with a boundary of 10,000',
      toFormBytes([song()]),
      `multipart/form-data; boundary=${'b'.repeat(9_999)}`,
      400,
    ],
    ['of garbage', '\u0000garbage', FORM_TYPE, 400],
    ['of nothing', '', FORM_TYPE, 400],
    ['that breaks off in a file', toFormBytes([song('la'.repeat(9_000))], false), FORM_TYPE, 400],
    ['that breaks off in a header', `--${BOUNDARY}\r\nContent-Dispo`, FORM_TYPE, 400],
    ['that breaks off after a part', `--${BOUNDARY}\r\nX: y\r\n\r\n\r\n--${BOUNDARY}`, FORM_TYPE, 400],
    ['of JSON', '{"song":"la"}', 'application/json', 415],
    ['of pairs', 'song=la', 'application/x-www-form-urlencoded', 415],
    ['of another multipart type', toFormBytes([song()]), `multipart/mixed; boundary=${BOUNDARY}`, 415],
    ['of a type that begins alike', toFormBytes([song()]), `multipart/form-dataX; boundary=${BOUNDARY}`, 415],
  ])('%s is refused', async (_, body, type, status) => {
    await expectRefusal(await send(Buffer.from(body), { 'content-type': type }), status, 'detail');
  });

  test('without any body is refused', async () => {
    const headers = { authorization: `Bearer ${await api.logIn(member)}`, 'content-type': FORM_TYPE };
    await expectRefusal(await api.app.request(sendSong.path, { method: 'POST', headers }), 400, 'detail');
  });

  test('that is aborted leaves nothing on disk', async () => {
    const bytes = toFormBytes([song(Buffer.alloc(90_000))], false);
    let onDisk: string[] = [];
    let pieces = 0;
    const body = new ReadableStream<Uint8Array>({
      async pull(controller) {
        pieces += 1;
        if (pieces === 1) return controller.enqueue(bytes);
        await expect.poll(async () => (onDisk = await readdir(folder))).toHaveLength(1);
        controller.error(new Error('gone'));
      },
    });
    await expectRefusal(await send(body), 400, 'detail');
    expect(onDisk).toHaveLength(1);
  });

  test('U15: that does not fit on the disk is answered 507 before any of it is written', async () => {
    const reserve = 256 * 1024 ** 2;
    let freeBytes = 0;
    const room = createDiskSpace(() => Promise.resolve(freeBytes));
    open(await openTemporaryFiles(folder, Date.now, room));
    const bytes = toFormBytes([song(Buffer.alloc(90_000))]);
    const told = { 'content-length': String(bytes.byteLength) };
    freeBytes = reserve + 80_000;
    await expectRefusal(await send(bytes, told), 507, 'detail');
    await expectRefusal(await send(toStream(bytes)), 507, 'detail');
    expect((await send(toFormBytes([{ name: 'title', content: '字だけ' }]))).status).toBe(200);
    freeBytes = reserve + 100_000;
    expect((await send(bytes, told)).status).toBe(200);
    // A body without a length may be as long as any.
    await send(toStream(bytes));
    expect(received).toHaveLength(1);
  });

  test('U12: with files is limited to two per member at a time, at any rate', async () => {
    const [head, tail] = halve(toFormBytes([song(Buffer.alloc(50_000))]));
    const begin = () => {
      let finish: () => void = () => undefined;
      const body = new ReadableStream<Uint8Array>({
        start(controller) {
          controller.enqueue(head);
          finish = () => {
            controller.enqueue(tail);
            controller.close();
          };
        },
      });
      return { answer: send(body), finish: () => finish() };
    };
    const filesOnDisk = async () => (await readdir(folder)).length;
    const [first, second] = [begin(), begin()];
    await expect.poll(filesOnDisk).toBe(2);
    const third = await send(toFormBytes([song()]));
    expect([third.status, third.headers.get('retry-after')]).toEqual([429, '10']);
    expect(await third.json()).toHaveProperty('detail');
    expect(await filesOnDisk()).toBe(2);

    expect((await send(toFormBytes([{ name: 'title', content: '字だけ' }]))).status).toBe(200);
    const secret = toFormBytes([{ name: 'secret', filename: 'a', content: 'x' }]);
    expect((await send(secret, {}, sendSecret.path)).status).toBe(200);
    const sender = member;
    member = await createUser(database, { username: 'other', email: 'other@example.test' });
    expect((await send(toFormBytes([song()]))).status).toBe(200);
    member = sender;

    first.finish();
    expect((await first.answer).status).toBe(200);
    expect((await send(toFormBytes([song()]))).status).toBe(200);
    second.finish();
    expect((await second.answer).status).toBe(200);
    expect(await filesOnDisk()).toBe(0);
  });

  test('U12: frees its place when it fails', async () => {
    const broken = toFormBytes([song(), { name: 'wrong', content: 'x' }]);
    const failing = toFormBytes([song(), { name: 'title', content: 'fail' }]);
    for (const status of [400, 500, 400, 500, 400, 500]) {
      expect((await send(status === 400 ? broken : failing)).status).toBe(status);
    }
    expect((await send(toFormBytes([song()]))).status).toBe(200);
  });

  test.each(['make', 'append', 'close'] as const)(
    'U15: for which the disk has no room (%s) is answered 507, and the next one is taken',
    async (step) => {
      const real = await openTemporaryFiles(folder);
      let isFull = true;
      const refuse = () => Promise.reject(Object.assign(new Error('no space'), { code: 'ENOSPC' }));
      open({
        async make(isSealed, bytesToCome) {
          if (isFull && step === 'make') return refuse();
          const file = await real.make(isSealed, bytesToCome);
          return isFull && step !== 'make' ? { ...file, [step]: refuse } : file;
        },
      });
      await expectRefusal(await send(toStream(toFormBytes([song(Buffer.alloc(90_000))]))), 507, 'detail');
      isFull = false;
      expect((await send(toFormBytes([song()]))).status).toBe(200);
    },
  );

  test.each([
    ['../../../etc/passwd', 'passwd'],
    ['..\\..\\boot.ini', 'boot.ini'],
    ['C:\\Users\\me\\歌.mp3', '歌.mp3'],
    ['/etc/shadow', 'shadow'],
    ['..', ''],
    ['.', ''],
    ['a.mp3/', ''],
    ['%2e%2e%2fx', '%2e%2e%2fx'],
    ['nul\u0000.mp3', 'nul.mp3'],
    ['gpj.\u202eevil.exe', 'gpj.evil.exe'],
    ['か\u3099.mp3', 'が.mp3'],
    ['a%22b%0D%0Ac.mp3', 'a"bc.mp3'],
  ])('U4: calls the file %j only %j', async (given, expected) => {
    // A header cannot contain a NUL directly; RFC 8187 can encode it.
    const filename = `filename*=UTF-8''${encodeURIComponent(given)}`;
    const header = `Content-Disposition: form-data; name="song"; ${filename}`;
    expect((await send(toFormBytes([{ header, content: 'la' }]))).status).toBe(200);
    expect(received[0]?.filename).toBe(expected);
  });

  test('U4: truncates a long name and keeps its extension', async () => {
    await send(toFormBytes([{ ...song(), filename: `${'長'.repeat(2_000)}.mp3` }]));
    expect(received[0]?.filename).toBe(`${'長'.repeat(196)}.mp3`);
  });

  test('U4: makes every name safe to show and keeps it inside the folder', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 400 }), async (given) => {
        open(await openTemporaryFiles(folder));
        const filename = `filename*=UTF-8''${encodeURIComponent(given.toWellFormed())}`;
        const header = `Content-Disposition: form-data; name="song"; ${filename}`;
        const response = await send(toFormBytes([{ header, content: 'la' }]));
        expect(response.status).toBe(200);
        const name = received[0]?.filename ?? 'missing';
        expect(name).not.toMatch(/[/\\\p{Cc}\u202a-\u202e\u2066-\u2069]|^\.+$/u);
        expect([...name].length).toBeLessThanOrEqual(200);
        expect(await readdir(folder)).toEqual([]);
      }),
      { numRuns: 100 },
    );
  });
});
