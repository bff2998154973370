import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { afterEach, expect, test, vi } from 'vitest';
import { toSoundKey } from '#server/media/object-keys.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { addNotice } from '#server/features/notices/changes.ts';
import { systemClock } from '#server/platform/concurrency/clock.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { DEFAULT_ARTIST, fillCatalogue } from '#support/sounds/catalogue.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makePaper } from '#support/files/pictures.ts';
import { startHost } from '#support/http/host.ts';
import { readCookies } from '#support/members/accounts.ts';
import { getRow } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const ROOT = new URL('../../../../', import.meta.url).pathname;
const run = promisify(execFile);

afterEach(() => vi.useRealTimers());

/** The commands and the program of docs/api.md, in this order. */
async function readGuide(): Promise<{ command: string; program: string }> {
  const text = await readFile(join(ROOT, 'docs/api.md'), 'utf8');
  const command = /^npx (openapi-typescript .*)$/m.exec(text)?.[1] ?? expect.unreachable('no command');
  const program = /```ts\n([^]*?)```/.exec(text)?.[1] ?? expect.unreachable('no program');
  return { command, program };
}

test('the client of docs/api.md is generated from a running host, compiles and calls it', async () => {
  const { command, program } = await readGuide();
  const host = await startHost();
  await fillCatalogue(host.database, [{ key: 'rain', title: '雨の音', facts: { moods: ['cool'] } }]);
  const password = 'correct horse battery';
  const { email } = await everyTable(host.database.db)
    .updateTable('users')
    .set({ password_hash: await hashPassword(password) })
    .where('username', '=', DEFAULT_ARTIST)
    .returning('email')
    .executeTakeFirstOrThrow();
  const folder = await makeFolder();
  await symlink(join(ROOT, 'node_modules'), join(folder, 'node_modules'));
  const bin = (name: string) => join(ROOT, 'node_modules/.bin', name);
  const [name = '', ...args] = command
    .split(' ')
    .map((part) => part.replace('https://site.example', host.url));
  await run(bin(name), args, { cwd: folder });

  const sources = {
    'client.mts': program,
    'wrong-name.mts': program.replace('sound.title', 'sound.titel'),
    'wrong-type.mts': program.replace('page_size: 3', "page_size: 'three'"),
    'wrong-value.mts': program.replace("'nostalgic'", "'unknown'"),
  };
  for (const [file, source] of Object.entries(sources)) await writeFile(join(folder, file), source);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--skipLibCheck'];
  const errors = await run(
    join(ROOT, 'node_modules/typescript-7/bin/tsc'),
    [...options, '--types', 'node', ...Object.keys(sources)],
    { cwd: folder },
  ).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  const [wrongName, wrongType, wrongValue, ...others] = errors
    .split(/^(?=\S)/m)
    .filter((line) => line.trim() !== '');
  expect(wrongName).toMatch(/^wrong-name\.mts.*'titel' does not exist/);
  expect(wrongType).toMatch(/^wrong-type\.mts[^]*not assignable/);
  expect(wrongValue).toMatch(/^wrong-value\.mts[^]*"unknown"/);
  expect(others).toEqual([]);
  const { stdout } = await run(process.execPath, ['client.mts'], {
    cwd: folder,
    env: { ...process.env, API: host.url, EMAIL: email, PASSWORD: password },
  });
  expect(stdout).toBe(`雨の音 cool\n${DEFAULT_ARTIST} calm,nostalgic\n`);
}, 60_000);

test('the steps of beginDownload lead to a certificate, and without its cookie to the file alone', async () => {
  const host = await startHost();
  const { ids } = await fillCatalogue(host.database, [{ key: 'rain', title: '雨の音' }]);
  const { audio_key, audio_size } = await getRow(host.database, 'sounds');
  await host.storage.put(toSoundKey(audio_key), new Uint8Array(audio_size));
  const download = `/api/sounds/${ids.get('rain')}/download`;
  const post = (path: string, headers: Record<string, string> = {}, body?: object) =>
    fetch(host.url + path, {
      method: 'POST',
      headers: { ...headers, ...(body && { 'content-type': 'application/json' }) },
      ...(body && { body: JSON.stringify(body) }),
    });
  const begin = async (known: Record<string, string> = {}) => {
    const response = await post(`${download}-intents`, known);
    const { id, is_granted } = (await response.json()) as { id: string; is_granted: boolean };
    const { value = '', attributes } = readCookies(response).get('visitor') ?? {};
    return { id, is_granted, attributes, headers: { cookie: `visitor=${value}`, origin: host.url } };
  };
  const readNotice = async () => {
    const response = await fetch(`${host.url}/notice/next`);
    return ((await response.json()) as { notice: { id: string; seconds: number } | null }).notice;
  };
  const request = async (query: string, headers?: Record<string, string>) => {
    const response = await post(`${download}?${query}`, headers);
    return {
      status: response.status,
      body: (await response.json()) as { url: string; certificate?: string },
    };
  };

  const first = await begin();
  expect(first.attributes).toEqual(['httponly', 'max-age=2678400', 'path=/', 'samesite=lax']);
  expect(await readNotice()).toBeNull();
  const unseen = `log=false&intent=${first.id}`;
  const { body } = await request(unseen, first.headers);
  expect(await (await fetch(`${host.url}/api/certificates/${body.certificate}/`)).json()).toMatchObject({
    certificate: { sound_title: '雨の音' },
  });
  expect((await request(unseen, first.headers)).body.certificate).toBe(body.certificate);

  const file = join(await makeFolder(), 'notice.png');
  await makePaper(20, 10).toFile(file);
  const staff = await createUser(host.database, {
    username: 'staff',
    email: 'staff@example.test',
    is_staff: true,
  });
  await addNotice(
    { ...host, clock: systemClock },
    staff,
    { text: '', link: '', seconds: 15, from: '', until: '' },
    { file: { filename: 'notice.png', path: file }, captions: undefined },
  );
  vi.useFakeTimers({ toFake: ['Date'] });
  const { id, is_granted, headers } = await begin();
  const notice = (await readNotice()) ?? expect.unreachable('no notice');
  const watching = `/api/download-intents/${id}/watching`;
  const report = async (state: 'begin' | 'end', sent: Record<string, string> = headers) =>
    (await post(watching, sent, { state, notice: notice.id })).status;
  const seen = `log=true&provider=house&intent=${id}`;
  expect([is_granted, await report('begin', {}), await report('begin')]).toEqual([false, 404, 200]);
  expect((await request(seen, headers)).status).toBe(409);
  vi.setSystemTime(Date.now() + notice.seconds * 1_000);
  expect(await report('end')).toBe(200);
  const { origin: _, ...withoutOrigin } = headers;
  expect((await request(seen, withoutOrigin)).status).toBe(403);
  for (const sent of [undefined, (await begin()).headers])
    expect(Object.keys((await request(seen, sent)).body)).toEqual(['url']);
  expect((await request(seen, headers)).body.certificate).toMatch(/^[\w-]{22}$/);
  expect((await begin(headers)).is_granted).toBe(true);
}, 60_000);
