import { createHash } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { type TestWebOptions, startWeb, toHtml } from '#support/http/web.ts';

const BYTES = Buffer.from(Array.from({ length: 1_000 }, (_, index) => index % 256));
const KEY = createHash('sha256').update(BYTES).digest('hex');
const TAG = `"${KEY}"`;
const PICTURE = 'ab'.repeat(32);

async function startMedia(options: TestWebOptions = {}) {
  const web = await startWeb(options);
  await web.storage.put(`sounds/${KEY}`, BYTES);
  await web.storage.put(`pictures/${PICTURE}/320.webp`, Buffer.from('webp'));
  const sound = {
    audio_key: KEY,
    audio_mime: 'audio/mpeg',
    audio_size: 1_000,
    title: '雨音',
    artistUsername: 'なぎ',
  };
  web.sounds.set('open', { ...sound, is_published: true });
  web.sounds.set('private', { ...sound, is_published: false });
  web.sounds.set('lost', { ...sound, audio_key: 'f'.repeat(64), is_published: true });
  const play = (id: string) => `/media/sounds/${id}/${KEY.slice(0, 8)}.mp3`;
  const signed = (purpose: 'play' | 'download' | 'download-private', id: string, lifetimeMs = 60_000) =>
    web.signatures.sign(purpose, id, lifetimeMs);
  return { ...web, play, signed };
}

const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('a published sound', () => {
  test('is served whole with its type, security headers and five minutes of caching', async () => {
    const { get, play } = await startMedia();
    const response = await get(play('open'));
    expect(response.status).toBe(200);
    expect(await bytesOf(response)).toEqual(BYTES);
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'content-type': 'audio/mpeg',
      'content-length': '1000',
      'accept-ranges': 'bytes',
      etag: TAG,
      'cache-control': 'public, max-age=300',
      'x-content-type-options': 'nosniff',
      'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
      'cross-origin-resource-policy': 'same-site',
    });
    expect(response.headers.get('content-disposition')).toBeNull();
  });

  test('answers a range, a range beyond its end, HEAD and a matching ETag', async () => {
    const { get, play } = await startMedia();
    const part = await get(play('open'), { range: 'bytes=100-199' });
    expect([part.status, part.headers.get('content-range')]).toEqual([206, 'bytes 100-199/1000']);
    expect(await bytesOf(part)).toEqual(BYTES.subarray(100, 200));
    const beyond = await get(play('open'), { range: 'bytes=1000-' });
    expect([beyond.status, beyond.headers.get('content-range')]).toEqual([416, 'bytes */1000']);
    expect(await bytesOf(beyond)).toHaveLength(0);
    const head = await get(play('open'), { range: 'bytes=0-9' }, 'HEAD');
    expect([head.status, head.headers.get('content-length'), (await bytesOf(head)).length]).toEqual([
      200,
      '1000',
      0,
    ]);
    const same = await get(play('open'), { 'if-none-match': TAG });
    expect([same.status, same.headers.get('etag')]).toEqual([304, TAG]);
    expect(same.headers.get('x-content-type-options')).toBe('nosniff');
  });

  test('is found only under the name of its present content', async () => {
    const { get } = await startMedia();
    expect((await get('/media/sounds/open/00000000.mp3')).status).toBe(404);
    expect((await get(`/media/sounds/open/${KEY.slice(0, 8)}.m4a`)).status).toBe(404);
  });

  test('whose file is missing is answered 404 in JSON, logged once', async () => {
    const { get, lines } = await startMedia();
    for (let count = 0; count < 3; count += 1) {
      const response = await get('/media/sounds/lost/ffffffff.mp3');
      expect(response.status).toBe(404);
      expect(response.headers.get('content-type')).toBe('application/json; charset=utf-8');
      expect(await response.json()).toHaveProperty('detail');
    }
    expect(lines.filter((line) => line.includes('stored file is missing'))).toHaveLength(1);
  });
});

describe('a private sound', () => {
  test('is answered 404 without a signature', async () => {
    const { get, play } = await startMedia();
    const hidden = await get(play('private'));
    const absent = await get(play('absent'));
    expect([hidden.status, await hidden.text()]).toEqual([404, await absent.text()]);
    expect((await get(play('private'), {}, 'HEAD')).status).toBe(404);
    expect((await get(play('private'), { 'if-none-match': TAG })).status).toBe(404);
    expect((await get(play('private'), { range: 'bytes=0-1' })).status).toBe(404);
  });

  test('is served with its signature, and is not cached', async () => {
    const { get, play, signed } = await startMedia();
    const response = await get(`${play('private')}?${signed('play', 'private')}`);
    expect(response.status).toBe(200);
    expect(response.headers.get('cache-control')).toBe('private, no-store');
  });

  test('is not served with a signature for another sound or purpose, or a changed one', async () => {
    const { get, play, signed } = await startMedia();
    for (const query of [
      signed('play', 'open'),
      signed('download', 'private'),
      signed('play', 'private').replace(/expires=\d+/, 'expires=9999999999'),
      signed('play', 'private').slice(0, -2),
    ]) {
      expect((await get(`${play('private')}?${query}`)).status).toBe(404);
    }
  });

  test('is answered 410 after its signature has expired', async () => {
    const { get, play, signed, advance } = await startMedia();
    const query = signed('play', 'private');
    advance(61_000);
    expect((await get(`${play('private')}?${query}`)).status).toBe(410);
  });
});

describe('a download', () => {
  test('is an attachment with a readable name', async () => {
    const { get, signed } = await startMedia();
    const response = await get(`/media/downloads/open?${signed('download', 'open')}`);
    expect(response.status).toBe(200);
    expect(await bytesOf(response)).toEqual(BYTES);
    expect(response.headers.get('content-disposition')).toBe(
      `attachment; filename="?? - ??.mp3"; filename*=UTF-8''${encodeURIComponent('雨音 - なぎ.mp3')}`,
    );
    expect(response.headers.get('cache-control')).toBe('private, no-store');
    expect(response.headers.get('content-type')).toBe('audio/mpeg');
  });

  test('U19: a download of media can be resumed while its file is the same', async () => {
    const { get, signed } = await startMedia();
    const resume = async (tag: string) => {
      const headers = { range: 'bytes=900-', 'if-range': tag };
      const response = await get(`/media/downloads/open?${signed('download', 'open')}`, headers);
      return [response.status, (await bytesOf(response)).byteLength];
    };
    expect([await resume(TAG), await resume('"stale"')]).toEqual([
      [206, 100],
      [200, 1_000],
    ]);
  });

  test('A4: requires a signature for this sound and for downloading', async () => {
    const { get, signed } = await startMedia();
    for (const query of ['', signed('download', 'private'), signed('play', 'open')]) {
      expect((await get(`/media/downloads/open?${query}`)).status).toBe(403);
    }
  });

  test('A4: ends for all but its artist when the sound becomes private', async () => {
    const { get, signed, sounds } = await startMedia();
    const shared = signed('download', 'open');
    expect((await get(`/media/downloads/open?${shared}`)).status).toBe(200);
    const sound = sounds.get('open');
    if (sound) sounds.set('open', { ...sound, is_published: false });
    expect((await get(`/media/downloads/open?${shared}`)).status).toBe(404);
    const own = await get(`/media/downloads/open?${signed('download-private', 'open')}`);
    expect(own.status).toBe(200);
  });

  test('A4: expires, and ends with the sound', async () => {
    const { get, signed, advance, sounds } = await startMedia();
    const query = signed('download', 'open');
    sounds.delete('open');
    expect((await get(`/media/downloads/open?${query}`)).status).toBe(404);
    advance(61_000);
    expect((await get(`/media/downloads/open?${query}`)).status).toBe(410);
  });
});

describe('a picture', () => {
  test('is cached as immutable', async () => {
    const { get } = await startMedia();
    const response = await get(`/media/pictures/${PICTURE}/320.webp`);
    expect(await response.text()).toBe('webp');
    expect(response.headers.get('content-type')).toBe('image/webp');
    expect(response.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  });

  test.each([
    `/media/pictures/${PICTURE}/321.webp`,
    `/media/pictures/${PICTURE}/640.webp`,
    `/media/pictures/${PICTURE}/320.png`,
    `/media/pictures/${PICTURE.toUpperCase()}/320.webp`,
    '/media/pictures/..%2f..%2fsecrets/320.webp',
    '/media/pictures/../../site.sqlite',
    '/media/secrets/file-signatures',
    '/media',
    '/media/',
  ])('%s is not found', async (path) => {
    const { get } = await startMedia({ render: () => toHtml('Not Found', { status: 404 }) });
    expect((await get(path)).status).toBe(404);
  });
});

describe('files for a web client on another host', () => {
  test('can be read there, and preflights allow it', async () => {
    const { get, play } = await startMedia({ webOrigin: 'https://web.example' });
    const response = await get(play('open'), { origin: 'https://web.example' });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'access-control-allow-origin': 'https://web.example',
      'access-control-allow-credentials': 'true',
      'cross-origin-resource-policy': 'cross-origin',
    });
    const preflight = await get(play('open'), { origin: 'https://web.example' }, 'OPTIONS');
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('range, if-range');
  });

  test('cannot be read by other origins', async () => {
    const { get, play } = await startMedia();
    const response = await get(play('open'), { origin: 'https://evil.example' });
    expect(response.headers.get('access-control-allow-origin')).toBeNull();
  });
});

test('nothing can be written to /media', async () => {
  const { get, play } = await startMedia();
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH']) {
    expect((await get(play('open'), {}, method)).status).toBe(405);
  }
});
