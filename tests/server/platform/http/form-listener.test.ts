import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { PICTURE_BYTES_MAX, updateProfilePicture } from '#contract/accounts/profile.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { BOUNDARY, FORM_TYPE, toFormBytes } from '#support/http/forms.ts';
import { startHost } from '#support/http/host.ts';
import { makePaper } from '#support/files/pictures.ts';

const PART = `--${BOUNDARY}\r\nContent-Disposition: form-data; name="profile_picture"; filename="a.png"\r\n\r\n`;

async function start() {
  const host = await startHost();
  const member = await createUser(host.database, { username: '絵の人', email: 'painter@example.test' });
  const temporary = () => readdir(join(host.dataDir, 'temporary'));
  return { ...host, temporary, access: await host.logIn(member) };
}

function toHead(headers: Readonly<Record<string, string>>): string {
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `POST ${updateProfilePicture.path} HTTP/1.1\r\nhost: x\r\ncontent-type: ${FORM_TYPE}\r\n${lines.join('')}\r\n`;
}

const toChunk = (bytes: Uint8Array | string) =>
  Buffer.concat([
    Buffer.from(`${Buffer.byteLength(bytes).toString(16)}\r\n`),
    Buffer.from(bytes),
    Buffer.from('\r\n'),
  ]);

test('a picture arrives through the listener and is served', async () => {
  const { url, access, temporary } = await start();
  const content = await makePaper(300, 300).png().toBuffer();
  const response = await fetch(url + updateProfilePicture.path, {
    method: 'POST',
    headers: { authorization: `Bearer ${access}`, 'content-type': FORM_TYPE },
    body: toFormBytes([{ name: 'profile_picture', filename: 'a.png', content }]) as BodyInit,
  });
  expect(response.status).toBe(200);
  const { profile_picture } = (await response.json()) as { profile_picture: string };
  const picture = await fetch(url + profile_picture);
  expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/webp']);
  expect(await temporary()).toEqual([]);
});

test('U10: bytes of a visitor without a session never reach the disk', async () => {
  const { connect, temporary } = await start();
  const { socket, waitFor } = await connect();
  socket.write(toHead({ 'content-length': '10000000' }));
  socket.write(PART + 'x'.repeat(100_000));
  expect(await waitFor(/^HTTP\/1\.1 401 /)).toMatch(/^HTTP\/1\.1 401 /);
  expect(await temporary()).toEqual([]);
});

test.each([
  ['of no length', { 'transfer-encoding': 'chunked' }, toChunk],
  ['that waits for a go-ahead', { 'transfer-encoding': 'chunked', expect: '100-continue' }, toChunk],
])('U10: a body %s is cut off at 10 MB', async (_, headers, toPiece) => {
  const { connect, access, temporary } = await start();
  const { socket, waitFor } = await connect();
  socket.write(toHead({ authorization: `Bearer ${access}`, ...headers }));
  socket.write(toPiece(PART));
  const piece = toPiece(Buffer.alloc(100_000));
  for (let sent = 0; sent <= PICTURE_BYTES_MAX; sent += 100_000) socket.write(piece);
  const answer = await waitFor(/HTTP\/1\.1 413 [\s\S]*\}/);
  expect(answer).toMatch(/HTTP\/1\.1 413 [\s\S]*"profile_picture"/);
  expect(await temporary()).toEqual([]);
});

test('U10: a length above that of any picture is refused before the body arrives', async () => {
  const { connect, access } = await start();
  const { socket, waitFor } = await connect();
  socket.write(toHead({ authorization: `Bearer ${access}`, 'content-length': '999999999' }));
  expect(await waitFor(/HTTP\/1\.1 413 /)).toMatch(/HTTP\/1\.1 413 /);
});

test('an aborted body is removed', async () => {
  const { connect, access, temporary, lines } = await start();
  const { socket } = await connect();
  socket.write(toHead({ authorization: `Bearer ${access}`, 'content-length': '5000000' }));
  socket.write(PART + 'x'.repeat(300_000));
  await expect.poll(temporary).toHaveLength(1);
  socket.destroy();
  await expect.poll(temporary).toEqual([]);
  expect(lines.filter((line) => line.includes('"level":50'))).toEqual([]);
});
