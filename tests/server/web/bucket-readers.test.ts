import { request } from 'node:http';
import { connect } from 'node:net';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { addUploader } from '#support/sounds/uploads.ts';
import { startHost } from '#support/http/host.ts';
import { startS3 } from '#support/processes/s3.ts';

const AUDIO = 'a'.repeat(64);
const PICTURE = 'b'.repeat(64);
const SIZE = 1_000;
const ATTACKER = '127.0.0.2';
const OTHER = '127.0.0.3';

/** A site whose bucket has one published sound and one picture. */
async function startSite() {
  const s3 = await startS3();
  const host = await startHost({ env: { STORAGE_URL: s3.url } });
  const { database, storage } = host;
  const { id } = await createSound(database, {
    type_id: await createSoundType(database, { name: 'BGM' }),
    artist_id: await addUploader(database, 'artist'),
    title: '雨',
    filename: 'rain.mp3',
    audio_key: AUDIO,
    audio_mime: 'audio/mpeg',
    audio_size: SIZE,
  });
  await storage.put(`sounds/${AUDIO}`, Buffer.alloc(SIZE));
  await storage.put(`pictures/${PICTURE}/320.webp`, Buffer.from('webp'));
  const { port } = new URL(host.url);
  const ask = (address: string, path: string, options: { method?: string; headers?: object } = {}) =>
    new Promise<number>((resolve, reject) => {
      const from = { host: '127.0.0.1', port, localAddress: address, agent: false };
      request({ ...from, path, ...options } as object, (answer) => {
        answer.resume().on('end', () => resolve(answer.statusCode ?? 0));
      })
        .on('error', reject)
        .end();
    });
  /** Sends requests on connections of their own, and does not read the answers. */
  const flood = (count: number, path: (index: number) => string) => {
    const sockets = Array.from({ length: count }, (_, index) => {
      const socket = connect({ host: '127.0.0.1', port: Number(port), localAddress: ATTACKER });
      socket.on('error', () => undefined).pause();
      socket.write(`GET ${path(index)} HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n`);
      return socket;
    });
    onTestFinished(() => sockets.forEach((socket) => socket.destroy()));
    return sockets;
  };
  /** The methods that the bucket sees while this is asked. */
  const listRequests = async (work: () => Promise<number>) => {
    const before = s3.seen.length;
    return [await work(), ...s3.seen.slice(before).map(({ method }) => method)];
  };
  return { s3, ask, flood, listRequests, sound: `/media/sounds/${id}/${AUDIO.slice(0, 8)}.mp3` };
}

const picture = (key: string) => `/media/pictures/${key}/320.webp`;
const invented = (index: number) => picture(index.toString(16).padStart(64, '0'));

describe('the readers of a bucket', () => {
  test('P15 one address whose reads take long has a quarter of them', async () => {
    const { s3, ask, flood, sound } = await startSite();
    const held = Promise.withResolvers<void>();
    const countReads = () => s3.seen.filter(({ method }) => method === 'GET').length;
    const before = countReads();
    const fault = { kind: 'answer', status: 416, after: held.promise } as const;
    s3.onRequest = ({ method }) => (method === 'GET' ? fault : undefined);
    const sockets = flood(140, () => sound);
    await expect.poll(() => countReads() - before, { timeout: 15_000 }).toBe(128);
    expect(await ask(ATTACKER, sound)).toBe(429);
    expect(countReads() - before).toBe(128);
    s3.onRequest = () => undefined;
    expect(await ask(OTHER, sound)).toBe(200);
    for (const socket of sockets) socket.destroy();
    held.resolve();
    await expect.poll(() => ask(ATTACKER, sound), { timeout: 15_000 }).toBe(200);
  });

  test('P15 requests whose client has left count until the bucket has answered', async () => {
    const { s3, ask, flood, sound } = await startSite();
    const held = Promise.withResolvers<void>();
    const countLooks = () => s3.seen.filter(({ method }) => method === 'HEAD').length;
    const before = countLooks();
    const fault = { kind: 'answer', status: 404, after: held.promise } as const;
    s3.onRequest = ({ method }) => (method === 'HEAD' ? fault : undefined);
    const sockets = flood(128, invented);
    // The client of the bucket has so many connections for calls.
    await expect.poll(() => countLooks() - before, { timeout: 15_000 }).toBe(64);
    await expect.poll(() => ask(ATTACKER, sound), { timeout: 15_000 }).toBe(429);
    for (const socket of sockets) socket.destroy();
    expect(await ask(ATTACKER, sound)).toBe(429);
    expect(await ask(OTHER, sound)).toBe(200);
    held.resolve();
    await expect.poll(() => ask(ATTACKER, sound), { timeout: 15_000 }).toBe(200);
    await expect.poll(() => countLooks() - before, { timeout: 15_000 }).toBe(128);
  });
});

describe('requests to a bucket', () => {
  test('P15 are one for a file, and none where its headers answer', async () => {
    const { ask, listRequests, sound } = await startSite();
    const shown = picture(PICTURE);
    const tag = `"${PICTURE.slice(0, 32)}-320"`;
    expect(await listRequests(() => ask(OTHER, sound))).toEqual([200, 'GET']);
    expect(await listRequests(() => ask(OTHER, sound, { headers: { range: 'bytes=0-9' } }))).toEqual([
      206,
      'GET',
    ]);
    expect(await listRequests(() => ask(OTHER, sound, { method: 'HEAD' }))).toEqual([200]);
    expect(await listRequests(() => ask(OTHER, sound, { headers: { range: 'bytes=9999-' } }))).toEqual([416]);
    expect(await listRequests(() => ask(OTHER, shown))).toEqual([200, 'HEAD', 'GET']);
    expect(await listRequests(() => ask(OTHER, shown))).toEqual([200, 'GET']);
    expect(await listRequests(() => ask(OTHER, shown, { headers: { 'if-none-match': tag } }))).toEqual([304]);
  });

  test(
    'P15 end for an address that invents pictures, which still gets those that exist',
    { timeout: 60_000 },
    async () => {
      const { s3, ask, listRequests } = await startSite();
      await ask(OTHER, picture(PICTURE));
      s3.onRequest = ({ method }) => (method === 'HEAD' ? { kind: 'answer', status: 404 } : undefined);
      for (let first = 0; first < 600; first += 100) {
        const answers = Array.from({ length: 100 }, (_, index) => ask(ATTACKER, invented(first + index)));
        expect(new Set(await Promise.all(answers))).toEqual(new Set([404]));
      }
      expect(await listRequests(() => ask(ATTACKER, invented(600)))).toEqual([429]);
      expect(await listRequests(() => ask(ATTACKER, picture(PICTURE)))).toEqual([200, 'GET']);
      expect(await listRequests(() => ask(OTHER, invented(601)))).toEqual([404, 'HEAD']);
    },
  );

  test('a picture that was deleted is no longer found', async () => {
    const { s3, ask } = await startSite();
    expect(await ask(OTHER, picture(PICTURE))).toBe(200);
    s3.onRequest = () => ({ kind: 'answer', status: 404 });
    expect(await ask(OTHER, picture(PICTURE))).toBe(404);
  });
});
