import { createHash } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { request } from 'node:http';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { PICTURE_WIDTHS } from '#contract/site/pictures.ts';
import { createBackup } from '#server/features/backups/create.ts';
import { restoreBackup } from '#server/features/backups/restore.ts';
import { verifyBackup } from '#server/features/backups/verify.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { EXPIRED_MS, deleteExpiredUploads } from '#server/features/my-sounds/uploads/leftovers.ts';
import { PIECE_BYTES_MAX } from '#server/features/my-sounds/uploads/store.ts';
import { openHost } from '#server/host.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { openBucket } from '#server/platform/storage/open.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import { parseSettings } from '#server/settings.ts';
import { makeEmptyPlace, makeSite } from '#support/processes/backups.ts';
import { bothDatabases, getRow } from '#support/databases/databases.ts';
import { eraseDeletedSounds } from '#server/features/my-sounds/deletion.ts';
import { makeHealthySite } from './features/doctor/doctor.ts';
import { makeFolder } from '#support/files/folders.ts';
import { type Part, FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { startHost, toOutput } from '#support/http/host.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { makePaper } from '#support/files/pictures.ts';
import { PIECE_TYPE, UPLOADS_PATH } from '#support/sounds/resumable-uploads.ts';
import { isS3Service, startS3, startSecondS3 } from '#support/processes/s3.ts';
import { addUploader } from '#support/sounds/uploads.ts';
import { runCommand } from '#support/processes/operator.ts';
import { SOUND_GRACE_DAYS } from '#server/features/catalogue/sound-rows.ts';

const [sqlite] = bothDatabases;
if (sqlite === undefined) throw new Error('no database');

async function readAll(storage: Storage): Promise<Record<string, string>> {
  const found: Record<string, string> = {};
  for await (const { key } of storage.list())
    found[key] = createHash('sha256')
      .update(await buffer(await storage.open(key)))
      .digest('hex');
  return found;
}

const silent = toOutput();

async function run(env: Readonly<Record<string, string>>, ...args: string[]) {
  const { code, out, err } = await runCommand(env, ...args);
  return { code, said: out + err };
}

describe('a site with its files in a bucket', () => {
  test('stores, plays, downloads and deletes a sound, and shows a picture', { timeout: 30_000 }, async () => {
    const s3 = await startS3();
    const host = await startHost({ env: { STORAGE_URL: s3.url } });
    const artist = await addUploader(host.database, 'artist');
    const type = String(await createSoundType(host.database, { name: 'BGM' }));
    const authorization = `Bearer ${await host.logIn(artist)}`;
    const send = (method: string, path: string, parts: readonly Part[]) =>
      fetch(`${host.url}${path}`, {
        method,
        headers: { authorization, 'content-type': FORM_TYPE },
        body: toFormBytes(parts) as BodyInit,
      });

    const mp3 = makeLongMp3(9_000_000, 1);
    const sent = await send('POST', '/api/sounds/', [
      { name: 'types', content: type },
      { name: 'filename', content: '音.mp3' },
      { name: 'file', filename: '音.mp3', type: 'audio/mpeg', content: mp3 },
    ]);
    expect(sent.status).toBe(200);
    const { sound } = (await sent.json()) as { sound: { id: string } };
    const picture = await makePaper(300, 300).png().toBuffer();
    const changed = await send('PATCH', `/api/sounds/${sound.id}/`, [
      { name: 'is_published', content: 'true' },
      { name: 'thumbnail', filename: 'a.png', type: 'image/png', content: picture },
    ]);
    expect(changed.status).toBe(200);
    const row = await getRow(host.database, 'sounds');
    expect(Object.keys(await readAll(host.storage))).toContain(`sounds/${row.audio_key}`);
    expect(await readdir(host.dataDir)).not.toContain('files');

    const play = `${host.url}/media/sounds/${sound.id}/${row.audio_key.slice(0, 8)}.mp3`;
    const whole = Buffer.from(await (await fetch(play)).arrayBuffer());
    expect(whole.byteLength).toBe(row.audio_size);
    expect(whole.equals(await buffer(await host.storage.open(`sounds/${row.audio_key}`)))).toBe(true);
    const part = await fetch(play, { headers: { range: 'bytes=8388600-8388700' } });
    expect(part.status).toBe(206);
    expect(Buffer.from(await part.arrayBuffer()).equals(whole.subarray(8_388_600, 8_388_701))).toBe(true);
    const shown = await fetch(
      `${host.url}/media/pictures/${row.thumbnail_key}/${PICTURE_WIDTHS.thumbnail[0]}.webp`,
    );
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);

    s3.onRequest = ({ method }) => (method === 'PUT' ? undefined : { kind: 'answer', status: 403 });
    expect((await fetch(play)).status).toBe(503);
    s3.onRequest = () => undefined;

    const removed = await fetch(`${host.url}/api/sounds/${sound.id}/`, {
      method: 'DELETE',
      headers: { authorization },
    });
    expect(removed.status).toBe(200);
    const weekLater = { now: () => Date.now() + SOUND_GRACE_DAYS * 86_400_000 };
    const { database, storage } = host;
    const deps = {
      database,
      storage,
      clock: weekLater,
      logger: silent.log,
      catalogueChanged: () => undefined,
    };
    await eraseDeletedSounds(deps);
    expect(await readAll(storage)).toEqual({});
  });

  // Ages the upload in the proxy's list.
  test.skipIf(isS3Service)(
    'U14 an upload that breaks off between parts leaves nothing',
    { timeout: 30_000 },
    async () => {
      const s3 = await startS3(startSecondS3);
      const host = await startHost({ env: { STORAGE_URL: s3.url } });
      const artist = await addUploader(host.database, 'artist');
      const token = { authorization: `Bearer ${await host.logIn(artist)}`, 'tus-resumable': '1.0.0' };
      const created = await fetch(`${host.url}${UPLOADS_PATH}`, {
        method: 'POST',
        headers: { ...token, 'upload-length': String(20_000_000) },
      });
      const address = `${host.url}${created.headers.get('location') ?? ''}`;
      const listOwn = async () => Object.keys(await readAll(host.storage));

      // The client leaves while the second piece is on its way.
      const sending = request(address, {
        method: 'PATCH',
        headers: { ...token, 'content-type': PIECE_TYPE, 'upload-offset': '0', 'content-length': 20_000_000 },
      });
      sending.on('error', () => undefined).write(Buffer.alloc(10_000_000));
      await expect.poll(listOwn, { timeout: 10_000 }).toHaveLength(1);
      sending.destroy();
      const offset = async () =>
        Number((await fetch(address, { method: 'HEAD', headers: token })).headers.get('upload-offset'));
      await expect.poll(offset, { timeout: 10_000 }).toBeGreaterThanOrEqual(PIECE_BYTES_MAX);
      expect(s3.uploads.size).toBe(0);

      // The process is killed after a part: it can neither complete nor abort.
      s3.onRequest = ({ method, query }) =>
        query.has('uploadId') && (method === 'DELETE' || query.get('partNumber') === '2')
          ? { kind: 'answer', status: 403 }
          : undefined;
      const broken = await fetch(`${host.url}/api/sounds/`, {
        method: 'POST',
        headers: { ...token, 'content-type': FORM_TYPE },
        body: toFormBytes([
          { name: 'types', content: String(await createSoundType(host.database, { name: 'BGM' })) },
          { name: 'filename', content: '音.mp3' },
          { name: 'file', filename: '音.mp3', type: 'audio/mpeg', content: makeLongMp3(9_000_000, 1) },
        ]) as BodyInit,
      });
      expect(broken.status).toBe(503);
      expect(s3.uploads.size).toBe(1);
      s3.onRequest = () => undefined;

      for (const left of s3.uploads.values()) left.initiated = new Date(Date.now() - 7_200_000).toISOString();
      await host.storage.deleteIncomplete();
      expect(s3.uploads.size).toBe(0);
      const { database, storage } = host;
      const clock = { now: () => Date.now() + EXPIRED_MS + 1 };
      await deleteExpiredUploads({ database, storage, clock, logger: silent.log });
      expect(await listOwn()).toEqual([]);
    },
  );

  test('starts again with its bucket, and with no other one', async () => {
    const s3 = await startS3();
    const DATA_DIR = join(await makeFolder(), 'data');
    const start = async (STORAGE_URL: string) =>
      (await openHost(parseSettings({ PORT: '0', DATA_DIR, STORAGE_URL }), silent)).close();
    await start(s3.url);
    await start(s3.url);
    await expect(start(s3.url.replace('/site/', '/other/'))).rejects.toThrow(/storage move FROM TO/);
    const other = join(await makeFolder(), 'data');
    const settings = parseSettings({ PORT: '0', DATA_DIR: other });
    await (await openHost(settings, silent)).close();
    const foreign = parseSettings({ PORT: '0', DATA_DIR: other, STORAGE_URL: s3.url });
    await expect(openHost(foreign, silent)).rejects.toThrow(/belongs to another site/);
  });

  test('a start with a missing bucket is refused in one sentence', async () => {
    const s3 = await startS3();
    const STORAGE_URL = s3.url.replace('sounds-of-a-site', 'no-such-bucket');
    const settings = parseSettings({ PORT: '0', DATA_DIR: join(await makeFolder(), 'data'), STORAGE_URL });
    await expect(openHost(settings, silent)).rejects.toMatchObject({
      name: 'BucketError',
      message: expect.stringMatching(/^STORAGE_URL: [^\n]*has no bucket no-such-bucket[^\n]*\.$/),
    });
  });
});

describe.each(bothDatabases)('a site with its files in a bucket, on $name', (kind) => {
  test('a backup restores it into a bucket or a folder', { timeout: 30_000 }, async () => {
    const s3 = await startS3();
    const { site, folder, members } = await makeSite(kind, s3.location);
    await members.act();
    const files = await readAll(openBucket(s3.location));
    expect(Object.keys(files).length).toBeGreaterThan(0);
    const { path, summary } = await createBackup(site, join(folder, 'a.tar'), { withKeys: false });
    expect(summary).toMatchObject({ missing: [], files: Object.keys(files).length });
    expect(await verifyBackup(path, FILE_OWNERS)).toMatchObject({ faults: [] });

    const empty = { ...s3.location, prefix: 'restored/' };
    await restoreBackup((await makeEmptyPlace(kind, empty)).place, path);
    expect(await readAll(openBucket(empty))).toEqual(files);
    const again = (await makeEmptyPlace(kind, empty)).place;
    await expect(restoreBackup(again, path)).rejects.toThrow(/the bucket .* is not empty/);
    const { place } = await makeEmptyPlace(kind);
    await restoreBackup(place, path);
    expect(await readAll(await openFolderStorage(join(place.dataDir, 'files')))).toEqual(files);
  });

  test(
    'the doctor finds nothing wrong, and names a bucket that is not its own',
    { timeout: 30_000 },
    async () => {
      const s3 = await startS3(startSecondS3);
      const site = await makeHealthySite(kind.locate, { STORAGE_URL: s3.url });
      const healthy = await site.diagnose();
      expect(healthy.states['bucket']).toBe('passed');
      // Of one machine, with mails in a folder.
      const {
        'production settings': _,
        'several machines': __,
        'abilities of the bucket': abilities = [],
        ...failed
      } = healthy.failed;
      // Of a real service.
      expect(abilities).toEqual(isS3Service ? ['conditional-writes'] : []);
      expect(failed).toEqual({});

      s3.onRequest = ({ method }) => (method === 'DELETE' ? { kind: 'answer', status: 403 } : undefined);
      expect((await site.diagnose()).failed['bucket']).toEqual(['refused']);
      s3.onRequest = () => undefined;
      const marked = '/.site-marker';
      s3.onRequest = ({ method, path }) =>
        method === 'GET' && path.endsWith(marked) ? { kind: 'answer', status: 404 } : undefined;
      const lost = await site.diagnose();
      expect(lost.failed['bucket']).toEqual(['no-marker']);
      expect(lost.findings.find((finding) => finding.kind === 'no-marker')?.isFixable).toBe(true);
      s3.onRequest = ({ method, path }) =>
        method === 'GET' && path.endsWith(marked)
          ? { kind: 'answer', status: 200, body: 'of another site\n' }
          : undefined;
      expect((await site.diagnose()).failed['bucket']).toEqual(['foreign-marker']);
    },
  );
});

describe('storage move', () => {
  test(
    'copies, resumes and compares, and refuses what belongs to another site',
    { timeout: 30_000 },
    async () => {
      const s3 = await startS3();
      const site = await makeHealthySite(sqlite.locate);
      const folder = join(site.env.DATA_DIR, 'files');
      const files = await readAll(site.storage);
      const count = Object.keys(files).length;

      expect(await run(site.env, 'storage', 'move', folder)).toMatchObject({ code: 2 });
      expect((await run(site.env, 'storage', 'move', folder, s3.url, '--verify')).said).toMatch(
        /no files of this site/,
      );
      let stored = 0;
      s3.onRequest = ({ method, path }) =>
        method === 'PUT' && path.includes('/pictures/') && (stored += 1) > 1
          ? { kind: 'answer', status: 403 }
          : undefined;
      const broken = await run(site.env, 'storage', 'move', folder, s3.url);
      expect(broken.code).toBe(1);
      expect(broken.said).not.toContain('S3RVER');
      s3.onRequest = () => undefined;
      const moved = await run(site.env, 'storage', 'move', folder, s3.url);
      expect(moved).toMatchObject({ code: 0, said: expect.stringMatching(/[1-9]\d* were there; /) });
      expect(moved.said).toContain('set STORAGE_URL');
      expect(moved.said).not.toContain('S3RVER');
      expect(await readAll(openBucket(s3.location))).toEqual(files);
      expect(await readAll(site.storage)).toEqual(files);

      const [key = ''] = Object.keys(files);
      const size = (await site.storage.find(key))?.size ?? 0;
      await openBucket(s3.location).put(key, Buffer.alloc(size));
      const compared = await run(site.env, 'storage', 'move', folder, s3.url, '--verify');
      expect(compared).toMatchObject({
        code: 1,
        said: expect.stringContaining(`Missing or different: ${key}`),
      });
      expect(await run(site.env, 'storage', 'move', folder, s3.url)).toMatchObject({
        code: 0,
        said: expect.stringMatching(new RegExp(`^1 files copied .*, ${count - 1} were there`, 'm')),
      });
      expect(await run(site.env, 'storage', 'move', folder, s3.url, '--verify')).toMatchObject({ code: 0 });

      const switched = parseSettings({ ...site.env, PORT: '0', STORAGE_URL: s3.url });
      await (await openHost(switched, silent)).close();
      const back = join(await makeFolder(), 'files');
      expect(await run({ ...site.env, STORAGE_URL: s3.url }, 'storage', 'move', s3.url, back)).toMatchObject({
        code: 0,
      });
      expect(await readAll(await openFolderStorage(back))).toEqual(files);

      const other = await makeHealthySite(sqlite.locate);
      const own = join(other.env.DATA_DIR, 'files');
      expect((await run(other.env, 'storage', 'move', own, s3.url)).said).toMatch(
        /the files of another site/,
      );
      expect((await run(other.env, 'storage', 'move', folder, s3.url)).said).toMatch(
        /is not the storage of this site/,
      );
      const used = s3.url.replace('/site/', '/used/');
      await openBucket({ ...s3.location, prefix: 'used/' }).put('sounds/x', Buffer.from('x'));
      expect((await run(other.env, 'storage', 'move', own, used)).said).toMatch(/TO is not empty/);
    },
  );
});
