import { createHash } from 'node:crypto';
import { request } from 'node:http';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import { createBrowserAddresses } from '#server/platform/storage/s3/browser-addresses.ts';
import { openBucket } from '#server/platform/storage/open.ts';
import { createS3Client } from '#server/platform/storage/s3/client.ts';
import { startS3 } from '#support/processes/s3.ts';
import { startWeb } from '#support/http/web.ts';

const SOUND = Buffer.concat([Buffer.from('ID3'), Buffer.alloc(997, 7)]);
const PICTURE = Buffer.from('RIFF0000WEBPVP8 ');
const KEY = createHash('sha256').update(SOUND).digest('hex');
const PICTURE_PATH = `/media/pictures/${'ab'.repeat(32)}/320.webp`;
const HOUR_MS = 3_600_000;

/** A site that sends browsers to its bucket, with a published and a private sound, and a picture. */
async function startSite(isSigned = true) {
  // s3rver checks signatures, and answers with the headers that an address asks for; fauxqs does neither.
  const s3 = await startS3();
  const location = { kind: 's3', bucket: s3.location } as const;
  const storage = openBucket(s3.location);
  let nowMs = Date.now();
  const redirect = { isSigned, origin: s3.location.origin };
  const toBrowserAddress = createBrowserAddresses(location, redirect, () => nowMs);
  const web = await startWeb({ storage, toBrowserAddress });
  await storage.put(`sounds/${KEY}`, SOUND);
  await storage.put(`pictures/${'ab'.repeat(32)}/320.webp`, PICTURE);
  const sound = {
    audio_key: KEY,
    audio_mime: 'audio/mpeg',
    audio_size: 1_000,
    title: 'Rain',
    artistUsername: 'Nagi',
  };
  web.sounds.set('open', { ...sound, is_published: true });
  web.sounds.set('private', { ...sound, is_published: false });
  s3.seen.length = 0;
  return {
    ...web,
    /** `fetch` of Node always says that it is a script’s request. */
    get: (path: string, headers: Readonly<Record<string, string>> = {}, method = 'GET') =>
      new Promise<Response>((resolve, reject) => {
        const asked = request(web.url + path, { method, headers }, (answer) => {
          const { statusCode: status = 0, headers: received } = answer;
          buffer(answer).then(
            (body) => resolve(new Response(body, { status, headers: received as Record<string, string> })),
            reject,
          );
        });
        asked.on('error', reject).end();
      }),
    s3,
    setNow: (ms: number) => void (nowMs = ms),
    play: (id: string) => `/media/sounds/${id}/${KEY.slice(0, 8)}.mp3`,
    download: (purpose: 'download' | 'download-private', id: string) =>
      `/media/downloads/${id}?${web.signatures.sign(purpose, id, 60_000)}`,
  };
}

const locationOf = (response: Response): string => {
  expect(response.status).toBe(307);
  return response.headers.get('location') ?? '';
};
const bytesOf = async (response: Response) => Buffer.from(await response.arrayBuffer());

describe('signed addresses', () => {
  test('play a published sound, whole and in part, without the site', async () => {
    const { get, play, s3 } = await startSite();
    const response = await get(play('open'), { 'sec-fetch-mode': 'no-cors' });
    expect(Object.fromEntries(response.headers)).toMatchObject({
      'cache-control': 'public, max-age=300',
      vary: 'Sec-Fetch-Mode',
    });
    expect(s3.seen).toEqual([]);
    const address = locationOf(response);
    const whole = await fetch(address);
    expect([whole.status, whole.headers.get('content-type'), whole.headers.get('cache-control')]).toEqual([
      200,
      'audio/mpeg',
      'public, max-age=300',
    ]);
    expect((await bytesOf(whole)).equals(SOUND)).toBe(true);
    const part = await fetch(address, { headers: { range: 'bytes=0-9' } });
    expect([part.status, (await bytesOf(part)).equals(SOUND.subarray(0, 10))]).toEqual([206, true]);
  });

  test('show a picture', async () => {
    const { get } = await startSite();
    const shown = await fetch(locationOf(await get(PICTURE_PATH)));
    expect([shown.status, shown.headers.get('content-type')]).toEqual([200, 'image/webp']);
    expect((await bytesOf(shown)).equals(PICTURE)).toBe(true);
    expect((await get(PICTURE_PATH.replace('320', '321'))).status).toBe(404);
  });

  test('are for one object, with the type that the site has recorded', async () => {
    const { get, play } = await startSite();
    const address = locationOf(await get(play('open')));
    for (const changed of [
      address.replace(KEY, 'f'.repeat(64)),
      address.replace('audio%2Fmpeg', 'text%2Fhtml'),
      address.replace('X-Amz-Expires=14400', 'X-Amz-Expires=144000'),
    ]) {
      expect(changed).not.toBe(address);
      expect((await fetch(changed)).status).toBe(403);
    }
  });

  test('addresses in a bucket expire', async () => {
    const { get, play, setNow } = await startSite();
    setNow(Date.now() - 5 * HOUR_MS);
    expect((await fetch(locationOf(await get(play('open'))))).status).toBe(403);
    setNow(Date.now() - 2 * HOUR_MS);
    expect((await fetch(locationOf(await get(play('open'))))).status).toBe(200);
  });
});

describe('what is not public, or not asked for by a browser’s element', () => {
  test('is streamed', async () => {
    const { get, play, download, signatures } = await startSite();
    const secret = `${play('private')}?${signatures.sign('play', 'private', 60_000)}`;
    for (const [path, headers] of [
      [secret, {}],
      [download('download-private', 'private'), {}],
      [download('download', 'open'), {}],
      [play('open'), { 'sec-fetch-mode': 'cors' }],
      [PICTURE_PATH, { 'sec-fetch-mode': 'cors' }],
    ] as const) {
      const response = await get(path, headers);
      expect([path, response.status]).toEqual([path, 200]);
      expect((await bytesOf(response)).byteLength).toBeGreaterThan(0);
    }
    expect((await get(play('private'))).status).toBe(404);
    const head = await get(play('open'), {}, 'HEAD');
    expect([head.status, head.headers.get('content-length')]).toEqual([200, '1000']);
  });
});

describe('addresses', () => {
  test('stay the same while a browser may cache their content, and are valid for long enough', async () => {
    const { get, play, setNow } = await startSite();
    const start = Math.floor(Date.now() / (12 * HOUR_MS)) * 12 * HOUR_MS;
    const at = async (path: string, ms: number) => {
      setNow(start + ms);
      return locationOf(await get(path));
    };
    expect(await at(PICTURE_PATH, 12 * HOUR_MS - 1)).toBe(await at(PICTURE_PATH, 0));
    expect(await at(PICTURE_PATH, 12 * HOUR_MS)).not.toBe(await at(PICTURE_PATH, 0));
    expect(await at(play('open'), HOUR_MS - 1)).toBe(await at(play('open'), 0));
    expect(new URL(await at(play('open'), 0)).searchParams.get('X-Amz-Expires')).toBe(String(4 * 3_600));
  });

  test('of a public bucket are not signed', async () => {
    const { get, play, s3 } = await startSite(false);
    expect(locationOf(await get(play('open')))).toBe(`${s3.location.origin}/site/sounds/${KEY}`);
    expect(locationOf(await get(PICTURE_PATH))).toBe(`${s3.location.origin}/site${PICTURE_PATH.slice(6)}`);
  });

  test('of a public bucket have the types that browsers need', async () => {
    const { storage, s3 } = await startSite();
    await storage.put(
      'sounds/m4a',
      Buffer.concat([Buffer.from('\0\0\0\x20ftypM4A '), Buffer.alloc(9_000_000)]),
    );
    const types = [];
    for (const key of [`sounds/${KEY}`, 'sounds/m4a', `pictures/${'ab'.repeat(32)}/320.webp`]) {
      const { headers } = await createS3Client(s3.location).call({ method: 'HEAD', key });
      types.push(headers['content-type']);
    }
    expect(types).toEqual(['audio/mpeg', 'audio/mp4', 'image/webp']);
  });
});
