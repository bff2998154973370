import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { Upload } from 'tus-js-client';
import { expect, test } from 'vitest';
import { toUploadId } from '#contract/sounds/resumable-uploads.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { startHost } from '#support/http/host.ts';
import { PIECE_TYPE, UPLOADS_PATH, listPieces, readReceived } from '#support/sounds/resumable-uploads.ts';
import { makeMp3 } from '#support/files/sound-fixtures.ts';
import { FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { addUploader } from '#support/sounds/uploads.ts';

const mp3 = Buffer.from(await makeMp3(20));
const half = Math.floor(mp3.byteLength / 2);

async function start() {
  const host = await startHost();
  const artist = await addUploader(host.database, 'artist');
  const authorization = `Bearer ${await host.logIn(artist)}`;
  const headers = { authorization, 'tus-resumable': '1.0.0' };
  const created = await fetch(host.url + UPLOADS_PATH, {
    method: 'POST',
    headers: { ...headers, 'upload-length': String(mp3.byteLength) },
  });
  expect(created.status).toBe(201);
  const address = created.headers.get('location') ?? '';
  const ask = () => fetch(host.url + address, { method: 'HEAD', headers });
  return {
    ...host,
    artist,
    address,
    authorization,
    ask,
    readBytes: () => readReceived(host.database, host.storage, address),
    /** The bytes of the piece that is being received. */
    async countArriving() {
      const folder = join(host.dataDir, 'files', '.unfinished');
      const sizes = (await readdir(folder)).map(async (name) => (await stat(join(folder, name))).size);
      return (await Promise.all(sizes)).reduce((sum, size) => sum + size, 0);
    },
    send: (offset: number, body: Uint8Array) =>
      fetch(host.url + address, {
        method: 'PATCH',
        headers: { ...headers, 'content-type': PIECE_TYPE, 'upload-offset': String(offset) },
        body: body as BodyInit,
      }),
    toHead: (more: Readonly<Record<string, string>>) => {
      const all = { host: 'x', ...headers, 'content-type': PIECE_TYPE, 'upload-offset': '0', ...more };
      const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
      return `PATCH ${address} HTTP/1.1\r\n${lines.join('')}\r\n`;
    },
  };
}

test('a lost connection does not lose received bytes, and the file becomes a sound', async () => {
  const host = await start();
  const { connect, toHead, ask, send, readBytes, countArriving } = host;
  const { database, storage, address, authorization, url, lines } = host;
  const { socket } = await connect();
  socket.write(toHead({ 'content-length': String(mp3.byteLength) }));
  socket.write(mp3.subarray(0, half));
  await expect.poll(countArriving).toBe(half);
  socket.destroy();
  const asked = await ask();
  expect([asked.status, asked.headers.get('upload-offset')]).toEqual([200, String(half)]);
  expect(asked.headers.get('x-content-type-options')).toBe('nosniff');
  expect(asked.headers.get('x-request-id')).toMatch(/^[\w-]{8,}$/);
  expect((await send(half, mp3.subarray(half))).status).toBe(204);
  expect(await readBytes()).toEqual(mp3);

  const type = await createSoundType(database, { name: 'BGM' });
  const made = await fetch(`${url}/api/sounds/`, {
    method: 'POST',
    headers: { authorization, 'content-type': FORM_TYPE },
    body: toFormBytes([
      { name: 'types', content: String(type) },
      { name: 'upload', content: address.slice(UPLOADS_PATH.length) },
    ]) as BodyInit,
  });
  expect(made.status).toBe(200);
  expect(await listPieces(storage)).toEqual([]);
  expect(lines.filter((line) => /"level":(?:40|50|60)/.test(line))).toEqual([]);
});

test('U18: a returning client is not blocked by its old connection, which is still open', async () => {
  const { connect, toHead, ask, send, readBytes, countArriving } = await start();
  const { socket, waitFor } = await connect();
  socket.write(toHead({ 'content-length': String(mp3.byteLength) }));
  socket.write(mp3.subarray(0, half));
  await expect.poll(countArriving).toBe(half);
  const asked = await ask();
  expect(asked.headers.get('upload-offset')).toBe(String(half));
  expect((await send(half, mp3.subarray(half))).status).toBe(204);
  const answer = await waitFor(/\r\n\r\n/);
  expect(answer).toMatch(new RegExp(`^HTTP/1\\.1 204 [^]*upload-offset: ${half}\r\n`, 'i'));
  expect(answer).toMatch(/^connection: close\r$/im);
  socket.write(Buffer.alloc(mp3.byteLength - half));
  await waitFor(/never/); // resolves when the other side closes
  expect(await readBytes()).toEqual(mp3);
});

test.each([
  ['with a length', { 'content-length': String(mp3.byteLength * 2) }, (bytes: Buffer) => bytes],
  [
    'of no length',
    { 'transfer-encoding': 'chunked' },
    (bytes: Buffer) => Buffer.concat([Buffer.from(`${bytes.byteLength.toString(16)}\r\n`), bytes]),
  ],
])('U10: a piece that is too long, %s, is answered 413 and never on the disk', async (_, headers, toBody) => {
  const { connect, toHead, ask, readBytes } = await start();
  const { socket, waitFor } = await connect();
  socket.write(toHead(headers as Record<string, string>));
  socket.write(toBody(Buffer.concat([mp3, mp3])));
  expect(await waitFor(/^HTTP\/1\.1 /)).toMatch(/^HTTP\/1\.1 413 /);
  const bytes = await readBytes();
  expect(bytes).toEqual(mp3.subarray(0, bytes.byteLength));
  expect((await ask()).headers.get('upload-offset')).toBe(String(bytes.byteLength));
});

test('the library used in browsers sends a file in pieces, stops, and resumes in a new instance', async () => {
  const { url, authorization, database, storage, lines } = await start();
  const options = { endpoint: url + UPLOADS_PATH, headers: { authorization }, chunkSize: 50_000 };
  const address = await new Promise<string>((resolve, reject) => {
    const first = new Upload(mp3, {
      ...options,
      metadata: { filename: '夜の雨.mp3' },
      onError: reject,
      onChunkComplete: () => void first.abort().then(() => resolve(first.url ?? ''), reject),
    });
    first.start();
  });
  const readBytes = () => readReceived(database, storage, UPLOADS_PATH + toUploadId(address));
  const there = (await readBytes()).byteLength;
  expect(there).toBeGreaterThanOrEqual(50_000);
  expect(there).toBeLessThan(mp3.byteLength);
  const offsets = await new Promise<number[]>((resolve, reject) => {
    const seen: number[] = [];
    const onChunkComplete = (size: number, accepted: number) => void seen.push(accepted - size);
    const onSuccess = () => resolve(seen);
    new Upload(mp3, { ...options, uploadUrl: address, onError: reject, onChunkComplete, onSuccess }).start();
  });
  expect(offsets[0]).toBe(there);
  expect(await readBytes()).toEqual(mp3);
  expect(lines.filter((line) => /"level":(?:40|50|60)/.test(line))).toEqual([]);
});
