import { once } from 'node:events';
import type { Readable } from 'node:stream';
import { beforeEach, describe, expect, test } from 'vitest';
import { RESUMABLE_AGE_MS_MAX, RESUMABLE_AT_ONCE_MAX } from '#contract/sounds/resumable-uploads.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { SOUND_BYTES_TOTAL_MAX } from '#server/features/my-sounds/limits.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { deleteExpiredUploads } from '#server/features/my-sounds/uploads/leftovers.ts';
import { PIECE_MS_MAX } from '#server/features/my-sounds/uploads/store.ts';
import { ACCESS_TOKEN_SECONDS } from '#server/platform/crypto/access-tokens.ts';
import { createDiskSpace } from '#server/platform/storage/disk-space.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { type Storage, INCOMING_MS_MAX } from '#server/platform/storage/port.ts';
import { toFile } from '#support/sounds/catalogue.ts';
import { deleteRows, listRows, ruleDatabases, updateRows } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import {
  UPLOADS_PATH,
  createResumableApi,
  useResumableApi,
  createUpload,
  readOffset,
  sendPiece,
  toProblem,
  tus,
} from '#support/sounds/resumable-uploads.ts';
import { addUploader } from '#support/sounds/uploads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const HOUR_MS = 3_600_000;
const content = Buffer.from(Array.from({ length: 5_000 }, (_, index) => index % 251));

describe.each(ruleDatabases)('limits of resumable uploads on $name', ({ open }) => {
  const { database, api, storage, readBytes, listPieces, renewApi, useMember } = useResumableApi(open);
  const artist = useMember({ username: 'artist', is_verified: true });

  beforeEach(() => api.logIn(artist));

  const create = (headers: Readonly<Record<string, string>>, userId: string | null = artist) =>
    tus(api, 'POST', UPLOADS_PATH, { userId, headers });
  const rows = () => listRows(database, 'resumable_uploads');
  const sweep = () => deleteExpiredUploads(api.deps);
  /** Errors of clients are not logged. */
  const expectSilence = () => expect(api.logged).toEqual([]);

  test('U17: when the token expires between two pieces, a new one continues without losing a byte', async () => {
    const address = await createUpload(api, artist, 5_000);
    const stale = { authorization: `Bearer ${await api.logIn(artist)}` };
    await sendPiece(api, artist, address, 0, content.subarray(0, 2_000));
    api.clock.advance((ACCESS_TOKEN_SECONDS + 60) * 1000);
    const late = await sendPiece(api, artist, address, 2_000, content.subarray(2_000), stale);
    expect(await toProblem(late)).toEqual([401, ['detail']]);
    expect(await readOffset(api, artist, address)).toBe(2_000);
    expect((await sendPiece(api, artist, address, 2_000, content.subarray(2_000))).status).toBe(204);
    expect(await readBytes(address)).toEqual(content);
  });

  test('an upload survives the end of the session that created it', async () => {
    const address = await createUpload(api, artist, 5_000);
    await sendPiece(api, artist, address, 0, content.subarray(0, 2_000));
    await deleteRows(database, 'sessions');
    await sweep();
    const session = { id: 'new', user_id: artist, token_hash: 'new', previous_hash: null, rotated_at: null };
    const created_at = api.clock.now();
    const values = { ...session, created_at, expires_at: created_at + 60_000 };
    await everyTable(database.db).insertInto('sessions').values(values).execute();
    const access = await api.accessTokens.sign({ userId: artist, sessionId: 'new' });
    const headers = { authorization: `Bearer ${access}` };
    const response = await tus(api, 'HEAD', address, { headers });
    expect([response.status, response.headers.get('upload-offset')]).toEqual([200, '2000']);
  });

  test('U18: an upload expires after a day, and is swept with unused files', async () => {
    const old = await createUpload(api, artist, 5_000);
    await sendPiece(api, artist, old, 0, content.subarray(0, 2_000));
    api.clock.advance(RESUMABLE_AGE_MS_MAX - 1);
    expect(await readOffset(api, artist, old)).toBe(2_000);
    const young = await createUpload(api, artist, 5_000);
    await sendPiece(api, artist, young, 0, content.subarray(0, 1_000));
    api.clock.advance(1);
    expect((await tus(api, 'HEAD', old, { userId: artist })).status).toBe(404);
    expect((await sendPiece(api, artist, old, 2_000, content.subarray(2_000))).status).toBe(404);
    // Another process may be making a sound of it.
    await sweep();
    expect([(await listPieces()).length, (await rows()).length]).toEqual([2, 2]);
    api.clock.advance(INCOMING_MS_MAX);
    await sweep();
    expect((await rows()).map(({ id }) => UPLOADS_PATH + id)).toEqual([young]);
    expect(await listPieces()).toHaveLength(1);
    expect(await readBytes(young)).toEqual(content.subarray(0, 1_000));
    expectSilence();
  });

  test(`U12: a member has at most ${RESUMABLE_AT_ONCE_MAX} on their way`, async () => {
    const more = Array.from({ length: RESUMABLE_AT_ONCE_MAX + 5 }, () => create({ 'upload-length': '10' }));
    const answers = await Promise.all(more);
    expect(answers.filter(({ status }) => status === 201)).toHaveLength(RESUMABLE_AT_ONCE_MAX);
    const refused = answers.find(({ status }) => status !== 201);
    expect(refused && (await toProblem(refused))).toEqual([409, ['upload']]);
    expect(await rows()).toHaveLength(RESUMABLE_AT_ONCE_MAX);
    const other = await addUploader(database, 'other');
    expect((await create({ 'upload-length': '10' }, other)).status).toBe(201);
    api.clock.advance(RESUMABLE_AGE_MS_MAX);
    expect((await create({ 'upload-length': '10' })).status).toBe(201);
  });

  describe('at the limit', () => {
    let addresses: string[];
    beforeEach(async () => {
      addresses = [];
      for (let index = 0; index < RESUMABLE_AT_ONCE_MAX; index += 1) {
        addresses.push(await createUpload(api, artist, 5_000));
      }
    });
    /** Backdates an upload as if it had not been active for the given time. */
    const rest = async (address = '', ms: number) => {
      const at = api.clock.now() - ms;
      await updateRows(
        database,
        'resumable_uploads',
        { created_at: at, active_at: at },
        { id: address.slice(UPLOADS_PATH.length) },
      );
    };
    const isThere = async (address = '') => {
      const { status } = await tus(api, 'HEAD', address, { userId: artist });
      return status === 200;
    };

    test('uploads that have not grown for an hour make room for a new one of their owner only', async () => {
      const other = await addUploader(database, 'other');
      const foreign = await createUpload(api, other, 5_000);
      await rest(foreign, 2 * HOUR_MS);
      await rest(addresses[0], HOUR_MS - 60_000);
      expect(await toProblem(await create({ 'upload-length': '10' }))).toEqual([409, ['upload']]);
      await sendPiece(api, artist, addresses[1] ?? '', 0, content.subarray(0, 1_000));
      await rest(addresses[1], HOUR_MS + 1_000);
      await rest(addresses[2], 20 * HOUR_MS);
      expect((await create({ 'upload-length': '10' })).status).toBe(201);
      const there = await Promise.all(addresses.map(isThere));
      expect(there).toEqual([true, false, false, ...Array<boolean>(7).fill(true)]);
      const ids = (await rows()).map(({ id }) => id);
      expect(await listPieces()).toEqual([]);
      expect(ids).toContain(foreign.slice(UPLOADS_PATH.length));
      expectSilence();
    });

    test('an idle upload stays while there is room for another', async () => {
      await rest(addresses[0], 2 * HOUR_MS);
      await tus(api, 'DELETE', addresses[1] ?? '', { userId: artist });
      expect((await create({ 'upload-length': '10' })).status).toBe(201);
      expect(await isThere(addresses[0])).toBe(true);
    });

    test('an upload that is receiving a piece stays, however slow it is', async () => {
      let sender: ReadableStreamDefaultController<Uint8Array> | undefined;
      const body = new ReadableStream<Uint8Array>({ start: (controller) => void (sender = controller) });
      const address = addresses[0] ?? '';
      const piece = sendPiece(api, artist, address, 0, body);
      for (let sent = 0; sent < 5_000; sent += 200) {
        sender?.enqueue(content.subarray(sent, sent + 200));
        // All but the latest chunk are received, and that one is being stored.
        await expect.poll(() => readBytes(address).then((bytes) => bytes.byteLength)).toBe(sent);
        const incoming = everyTable(database.db)
          .selectFrom('upload_pieces')
          .where('state', '=', 'incoming')
          .select('id');
        await expect.poll(async () => (await incoming.execute()).length).toBe(1);
        api.clock.advance(PIECE_MS_MAX);
      }
      // Two hours later, the others would be idle.
      for (const other of addresses.slice(1)) await rest(other, 0);
      expect(await toProblem(await create({ 'upload-length': '10' }))).toEqual([409, ['upload']]);
      sender?.close();
      expect((await piece).status).toBe(204);
      expect(await readBytes(address)).toEqual(content);
    });

    test('concurrent creations never exceed the room that idle uploads free', async () => {
      for (const address of addresses.slice(0, 3)) await rest(address, 2 * HOUR_MS);
      const more = await Promise.all(Array.from({ length: 6 }, () => create({ 'upload-length': '10' })));
      const taken = more.filter(({ status }) => status === 201).length;
      expect(taken).toBeGreaterThan(0);
      expect(await rows()).toHaveLength(RESUMABLE_AT_ONCE_MAX - 3 + taken);
      // Uploads that conflicted find room at the next attempt.
      for (let count = taken; count < 3; count += 1) {
        expect((await create({ 'upload-length': '10' })).status).toBe(201);
      }
      expect((await create({ 'upload-length': '10' })).status).toBe(409);
    });
  });

  test('U12: announced bytes count like received ones', async () => {
    const type = await createSoundType(database, { name: 'BGM' });
    const row = { ...toFile('big'), artist_id: artist, type_id: type, title: '大' };
    await createSound(database, { ...row, audio_size: SOUND_BYTES_TOTAL_MAX - 100 });
    const address = await createUpload(api, artist, 60);
    expect(await toProblem(await create({ 'upload-length': '41' }))).toEqual([409, ['file']]);
    expect((await create({ 'upload-length': '40' })).status).toBe(201);
    await tus(api, 'DELETE', address, { userId: artist });
    expect((await create({ 'upload-length': '60' })).status).toBe(201);
  });

  test('U15: a full disk answers 507 and keeps received bytes; the upload continues later', async () => {
    const address = await createUpload(api, artist, 5_000);
    expect((await sendPiece(api, artist, address, 0, content.subarray(0, 1_000))).status).toBe(204);
    const put: Storage['put'] = async (_, body) => {
      await once(body as Readable, 'data');
      throw Object.assign(new Error('no room'), { code: 'ENOSPC' });
    };
    const { api: full } = await createResumableApi(database, { storage: { ...storage, put } });
    const refused = await sendPiece(full, artist, address, 1_000, content.subarray(1_000));
    expect(await toProblem(refused)).toEqual([507, ['detail']]);
    expect(full.logged).toMatchObject([{ msg: 'api call failed', err: { code: 'ENOSPC' } }]);
    expect(await readOffset(api, artist, address)).toBe(1_000);
    expect((await sendPiece(api, artist, address, 1_000, content.subarray(1_000))).status).toBe(204);
    expect(await readBytes(address)).toEqual(content);
    expect(await listPieces()).toHaveLength(1);
    expectSilence();
  });

  test('U15: an upload that does not fit on the disk is refused at creation', async () => {
    let freeBytes = 300 * 1024 ** 2;
    const space = createDiskSpace(() => Promise.resolve(freeBytes));
    const folderStorage = await openFolderStorage(await makeFolder(), Date.now, space);
    renewApi({ storage: folderStorage });
    const size = { 'upload-length': String(45 * 1024 ** 2) };
    expect(await toProblem(await create(size))).toEqual([507, ['detail']]);
    expect([await rows(), await listPieces()]).toEqual([[], []]);
    expect(api.logged).toMatchObject([{ msg: 'api call failed', err: { code: 'ENOSPC' } }]);
    freeBytes += 1024 ** 2;
    expect((await create(size)).status).toBe(201);
  });

  test('S8: a page of another site can neither create an upload nor add to one', async () => {
    const address = await createUpload(api, artist, 5_000);
    const evil = { origin: 'https://evil.example' };
    const refused = [
      await create({ 'upload-length': '5', ...evil }),
      await create({ 'upload-length': '5', cookie: 'a=b' }),
      await sendPiece(api, artist, address, 0, content, evil),
      await sendPiece(api, artist, address, 0, content, { origin: 'null' }),
      await tus(api, 'DELETE', address, { userId: artist, headers: evil }),
    ];
    for (const response of refused) expect(await toProblem(response)).toEqual([403, ['detail']]);
    expect(await readOffset(api, artist, address)).toBe(0);
    expect(await rows()).toHaveLength(1);
  });

  test('a web client of another origin can send the needed headers and read the reply’s', async () => {
    const origin = 'https://web.example';
    renewApi({ webOrigin: origin });
    const preflight = await api.app.request(UPLOADS_PATH, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': 'PATCH' },
    });
    expect(preflight.headers.get('access-control-allow-methods')).toMatch(/PATCH/);
    const allowed = preflight.headers.get('access-control-allow-headers')?.split(',');
    const sent = ['authorization', 'tus-resumable', 'upload-length', 'upload-metadata', 'upload-offset'];
    expect(allowed).toEqual(expect.arrayContaining(sent));
    const created = await create({ 'upload-length': '5', origin });
    expect([created.status, created.headers.get('access-control-allow-origin')]).toEqual([201, origin]);
    const exposed = created.headers.get('access-control-expose-headers')?.split(',');
    const read = ['location', 'tus-resumable', 'upload-expires', 'upload-length', 'upload-offset'];
    expect(exposed).toEqual(expect.arrayContaining(read));
    expect((await create({ 'upload-length': '5', origin: 'https://evil.example' })).status).toBe(403);
  });
});
