import { beforeEach, describe, expect, test } from 'vitest';
import { RESUMABLE_AGE_MS_MAX, RESUMABLE_BYTES_MAX } from '#contract/sounds/resumable-uploads.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';
import { toStream } from '#support/http/forms.ts';
import {
  PIECE_TYPE,
  UPLOADS_PATH,
  useResumableApi,
  createUpload,
  readOffset,
  sendPiece,
  toProblem,
  tus,
} from '#support/sounds/resumable-uploads.ts';
import { addUploader } from '#support/sounds/uploads.ts';

const content = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251));

describe.each(bothDatabases)('uploads in pieces on $name', ({ open, rule }) => {
  const { database, api, storage, readBytes, listPieces, useMember } = useResumableApi(open);
  const artist = useMember({ username: 'artist', is_verified: true });

  beforeEach(() => api.logIn(artist));

  const create = (headers: Readonly<Record<string, string>>, userId: string | null = artist) =>
    tus(api, 'POST', UPLOADS_PATH, { userId, headers });
  const rows = () => listRows(database, 'resumable_uploads');
  const pieces = () => listRows(database, 'upload_pieces');
  /** Errors of clients are not logged. */
  const expectSilence = () => expect(api.logged).toEqual([]);

  rule('a file is sent in pieces, and the host reports the offset each time', async () => {
    const metadata = 'filename 6Zuo44GuLm1wMw==,is_staff';
    const created = await create({ 'upload-length': '5000', 'upload-metadata': metadata });
    expect([created.status, await created.text()]).toEqual([201, '']);
    const address = created.headers.get('location') ?? '';
    expect(address).toMatch(/^\/api\/uploads\/[A-Za-z0-9]{16}$/);
    expect(created.headers.get('cache-control')).toBe('private, no-store');
    const expires = new Date(api.clock.now() + RESUMABLE_AGE_MS_MAX).toUTCString();
    expect(created.headers.get('upload-expires')).toBe(expires);

    const first = await sendPiece(api, artist, address, 0, content.subarray(0, 3_000));
    expect([first.status, first.headers.get('upload-offset')]).toEqual([204, '3000']);
    const asked = await tus(api, 'HEAD', address, { userId: artist });
    expect(Object.fromEntries(asked.headers)).toMatchObject({
      'tus-resumable': '1.0.0',
      'upload-offset': '3000',
      'upload-length': '5000',
      'upload-metadata': metadata,
      'upload-expires': expires,
    });
    const last = await sendPiece(api, artist, `${address}/`, 3_000, toStream(content.subarray(3_000)));
    expect([last.status, last.headers.get('upload-offset')]).toEqual([204, '5000']);
    expect(await readBytes(address)).toEqual(content);
    expect((await tus(api, 'DELETE', address, { userId: artist })).status).toBe(204);
    expect([await rows(), await pieces(), await listPieces()]).toEqual([[], [], []]);
    expect((await tus(api, 'HEAD', address, { userId: artist })).status).toBe(404);
    expectSilence();
  });

  rule('the host’s upload rules can be read without a session', async () => {
    const response = await api.app.request(UPLOADS_PATH, { method: 'OPTIONS' });
    expect(response.status).toBe(204);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'tus-version': '1.0.0',
      'tus-extension': 'creation,termination,expiration',
      'tus-max-size': String(RESUMABLE_BYTES_MAX),
    });
  });

  rule.each([
    ['no version', { 'tus-resumable': '' }, 412, 'tus-resumable'],
    ['another version', { 'tus-resumable': '0.2.2' }, 412, 'tus-resumable'],
    ['no length', {}, 400, 'upload-length'],
    ['a length to follow', { 'upload-defer-length': '1' }, 400, 'upload-defer-length'],
    ['parts', { 'upload-length': '5', 'upload-concat': 'partial' }, 400, 'upload-concat'],
    ['a negative length', { 'upload-length': '-1' }, 400, 'upload-length'],
    ['half a byte', { 'upload-length': '1.5' }, 400, 'upload-length'],
    ['nothing in it', { 'upload-length': '0' }, 400, 'file'],
    ['a byte too many', { 'upload-length': String(RESUMABLE_BYTES_MAX + 1) }, 413, 'file'],
    ['more bytes than there are', { 'upload-length': '9'.repeat(400) }, 413, 'file'],
    [
      'metadata that is none',
      { 'upload-length': '5', 'upload-metadata': 'name ???' },
      400,
      'upload-metadata',
    ],
    [
      'long metadata',
      { 'upload-length': '5', 'upload-metadata': `name ${'YWFh'.repeat(2_000)}` },
      400,
      'upload-metadata',
    ],
  ])('U10: an upload of %s is refused by name', async (_, headers, status, field) => {
    const response = await create(headers as Record<string, string>);
    expect(await toProblem(response)).toEqual([status, [field]]);
    expect(response.headers.get('tus-resumable')).toBe('1.0.0');
    expect([await rows(), await listPieces()]).toEqual([[], []]);
    expectSilence();
  });

  rule('A1 U18: another member’s upload is answered like a missing one, and does not change', async () => {
    const address = await createUpload(api, artist, 5_000);
    await sendPiece(api, artist, address, 0, content.subarray(0, 100));
    const other = await addUploader(database, 'other');
    const nowhere = [
      `${UPLOADS_PATH}${'x'.repeat(16)}`,
      `${UPLOADS_PATH}..%2f..%2fetc`,
      `${UPLOADS_PATH}%00`,
    ];
    const ask = async (path: string, method: 'HEAD' | 'PATCH' | 'DELETE' | 'GET') => {
      const headers = { 'content-type': PIECE_TYPE, 'upload-offset': '100' };
      const body = method === 'PATCH' ? content.subarray(100) : null;
      const response = await tus(api, method, path, { userId: other, headers, body });
      return [response.status, await response.text(), response.headers.get('upload-offset')];
    };
    for (const method of ['HEAD', 'PATCH', 'DELETE', 'GET'] as const) {
      const answer = await ask(address, method);
      expect(answer[0]).toBe(404);
      for (const path of nowhere) expect(await ask(path, method), `${method} ${path}`).toEqual(answer);
    }
    expect(await readOffset(api, artist, address)).toBe(100);
    expect(await listPieces()).toHaveLength(1);
    expectSilence();
  });

  rule.each(['', '/'])(
    'A1 U18: another member’s upload in the query of an own address (ended by %j) is not reachable',
    async (end) => {
      const victim = await createUpload(api, artist, 5_000);
      await sendPiece(api, artist, victim, 0, content.subarray(0, 100));
      const other = await addUploader(database, 'other');
      const own = await createUpload(api, other, 4_000);
      await sendPiece(api, other, own, 0, content.subarray(0, 100));
      const address = `${own}?x=/${victim.slice(UPLOADS_PATH.length)}${end}`;

      const asked = await tus(api, 'HEAD', address, { userId: other });
      expect([asked.status, asked.headers.get('upload-length')]).toEqual([200, '4000']);
      const sent = await sendPiece(api, other, address, 100, content.subarray(100, 200));
      expect([sent.status, sent.headers.get('upload-offset')]).toEqual([204, '200']);
      expect(await readBytes(own)).toEqual(content.subarray(0, 200));
      expect((await tus(api, 'DELETE', address, { userId: other })).status).toBe(204);

      expect(await readBytes(victim)).toEqual(content.subarray(0, 100));
      expect((await rows()).map(({ user_id }) => user_id)).toEqual([artist]);
      expectSilence();
    },
  );

  rule('a query on an own upload changes nothing', async () => {
    const address = await createUpload(api, artist, 5_000);
    for (const query of ['?x=1', '?', '?/', '?%zz', '?x=/..%2f..%2fetc']) {
      expect(await readOffset(api, artist, address + query), query).toBe(0);
    }
    const created = await tus(api, 'POST', `${UPLOADS_PATH}?x=/y`, {
      userId: artist,
      headers: { 'upload-length': '5' },
    });
    expect(created.headers.get('location')).toMatch(/^\/api\/uploads\/[A-Za-z0-9]{16}$/);
  });

  rule('an upload with a missing piece can be ended, and frees its place', async () => {
    const address = await createUpload(api, artist, 5_000);
    await sendPiece(api, artist, address, 0, content.subarray(0, 100));
    await storage.delete(`upload-pieces/${(await listPieces())[0]}`);
    expect((await tus(api, 'DELETE', address, { userId: artist })).status).toBe(204);
    expect([await rows(), await pieces()]).toEqual([[], []]);
    expect((await tus(api, 'DELETE', address, { userId: artist })).status).toBe(404);
    expectSilence();
  });

  rule('an upload that cannot continue because its last piece is missing ends with 404', async () => {
    const address = await createUpload(api, artist, 5_000);
    await sendPiece(api, artist, address, 0, content.subarray(0, 100));
    await storage.delete(`upload-pieces/${(await listPieces())[0]}`);
    expect((await sendPiece(api, artist, address, 100, content.subarray(100))).status).toBe(404);
    expect([await rows(), await pieces()]).toEqual([[], []]);
    expectSilence();
  });

  rule('A2: metadata about a file or its owner changes nothing', async () => {
    const encode = (text: string) => Buffer.from(text).toString('base64');
    const lies = {
      filename: '../../etc/passwd',
      user_id: 'other',
      id: 'mine',
      sound_id: 'x',
      __proto__x: 'y',
    };
    const metadata = Object.entries(lies).map(([key, value]) => `${key} ${encode(value)}`);
    const created = await create({ 'upload-length': '5', 'upload-metadata': metadata.join(',') });
    expect(created.status).toBe(201);
    const inherited = await create({ 'upload-length': '5', 'upload-metadata': `__proto__ ${encode('z')}` });
    expect(await toProblem(inherited)).toEqual([400, ['upload-metadata']]);
    const [row] = await rows();
    expect(row).toMatchObject({ user_id: artist, sound_id: null, size_bytes: 5 });
    expect(await listPieces()).toEqual([]);
  });

  rule('U18: a piece at the wrong offset is refused and changes nothing', async () => {
    const address = await createUpload(api, artist, 5_000);
    await sendPiece(api, artist, address, 0, content.subarray(0, 2_000));
    for (const offset of [0, 1_999, 2_001, 5_000]) {
      const response = await sendPiece(api, artist, address, offset, content.subarray(0, 10));
      expect(await toProblem(response)).toEqual([409, ['upload']]);
    }
    const wrong = async (headers: Readonly<Record<string, string>>) =>
      toProblem(await sendPiece(api, artist, address, 2_000, content, headers));
    expect(await wrong({ 'upload-offset': '-1' })).toEqual([400, ['upload-offset']]);
    expect(await wrong({ 'content-type': 'audio/mpeg' })).toEqual([415, ['detail']]);
    expect(await wrong({ 'content-encoding': 'gzip' })).toEqual([415, ['detail']]);
    const headers = { 'content-type': PIECE_TYPE };
    const missing = await tus(api, 'PATCH', address, { userId: artist, headers, body: content });
    expect(await toProblem(missing)).toEqual([400, ['upload-offset']]);
    expect(await readOffset(api, artist, address)).toBe(2_000);
    expect(await readBytes(address)).toEqual(content.subarray(0, 2_000));
    expectSilence();
  });

  rule('U10: a piece that exceeds the remaining length is refused, with and without a length', async () => {
    const address = await createUpload(api, artist, 3_000);
    const told = await sendPiece(api, artist, address, 0, content, { 'content-length': '5000' });
    expect(await toProblem(told)).toEqual([413, ['file']]);
    expect(await readOffset(api, artist, address)).toBe(0);
    const untold = await sendPiece(api, artist, address, 0, toStream(content));
    expect(await toProblem(untold)).toEqual([413, ['file']]);
    const offset = await readOffset(api, artist, address);
    expect(offset).toBeLessThanOrEqual(3_000);
    expect(await readBytes(address)).toEqual(content.subarray(0, offset));
    expectSilence();
  });

  rule('an interrupted piece keeps its received bytes', async () => {
    const address = await createUpload(api, artist, 5_000);
    const broken = new ReadableStream<Uint8Array>({
      pull(controller) {
        if (sent >= 4_000) return controller.error(new Error('connection lost'));
        controller.enqueue(content.subarray(sent, (sent += 1_000)));
      },
    });
    let sent = 0;
    await sendPiece(api, artist, address, 0, broken);
    expect(await readOffset(api, artist, address)).toBe(4_000);
    await sendPiece(api, artist, address, 4_000, content.subarray(4_000));
    expect(await readBytes(address)).toEqual(content);
    expectSilence();
  });

  rule('U18: a second client takes over from a hanging one at the same offset', async () => {
    const address = await createUpload(api, artist, 5_000);
    let hang: ReadableStreamDefaultController<Uint8Array> | undefined;
    const hanging = new ReadableStream<Uint8Array>({ start: (controller) => void (hang = controller) });
    const first = sendPiece(api, artist, address, 0, hanging);
    hang?.enqueue(content.subarray(0, 1_000));
    await expect.poll(async () => (await pieces()).length).toBe(1);
    const second = await sendPiece(api, artist, address, 0, content);
    expect(await toProblem(second)).toEqual([409, ['upload']]);
    expect([(await first).status, (await first).headers.get('upload-offset')]).toEqual([204, '1000']);
    expect((await sendPiece(api, artist, address, 1_000, content.subarray(1_000))).status).toBe(204);
    hang?.enqueue(Buffer.alloc(4_000));
    expect(await readBytes(address)).toEqual(content);
    expectSilence();
  });

  test('U18: of many clients that send the same piece concurrently, one is accepted', async () => {
    const address = await createUpload(api, artist, 5_000);
    const answers = await Promise.all(
      Array.from({ length: 4 }, () => sendPiece(api, artist, address, 0, toStream(content))),
    );
    expect(answers.map(({ status }) => status).toSorted()).toEqual([204, 409, 409, 409]);
    const offset = await readOffset(api, artist, address);
    expect(await readBytes(address)).toEqual(content.subarray(0, offset));
    expectSilence();
  });
});
