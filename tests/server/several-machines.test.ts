import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { fileURLToPath } from 'node:url';
import { Secret, TOTP } from 'otpauth';
import { beforeEach, expect, onTestFinished, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { verifyPersonalInfo } from '#contract/accounts/profile.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createBackup } from '#server/features/backups/create.ts';
import { listPlaces } from '#server/features/backups/places.ts';
import { restoreBackup } from '#server/features/backups/restore.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { openImage } from '#server/features/reviews/personal-info/images.ts';
import { toSoundKey } from '#server/media/object-keys.ts';
import { runOperator } from '#server/operator/run.ts';
import { hashPassword } from '#server/platform/crypto/passwords.ts';
import { readOpeningKeys } from '#server/platform/crypto/sealed-keys.ts';
import { type Tokens, PASSWORD, readCookies } from '#support/members/accounts.ts';
import { toFile } from '#support/sounds/catalogue.ts';
import { getRow, listRows, locateTestDatabase, updateRows } from '#support/databases/databases.ts';
import { PAYOUT_DETAILS } from '#support/members/payouts.ts';
import { makeFolder } from '#support/files/folders.ts';
import { startHost } from '#support/http/host.ts';
import { makePaper } from '#support/files/pictures.ts';

const RUNNER = fileURLToPath(new URL('../support/processes/run-server.ts', import.meta.url));
const SITE_URL = 'https://sounds.test';
const KEYS = ['DATABASE_URL', 'SECRET_KEY', 'PERSONAL_INFO_PUBLIC_KEY', 'SMTP_URL'] as const;
type Env = Record<(typeof KEYS)[number], string> & Record<string, string>;
type Host = Awaited<ReturnType<typeof startHost>>;

/** What the machines of one site share. */
let env: Env;
let files: string;
let privateFile: string;
let publicLine: string;

beforeEach(async () => {
  const place = await locateTestDatabase('postgres');
  onTestFinished(() => place.remove());
  files = join(await makeFolder(), 'bucket');
  privateFile = join(await makeFolder(), 'ids.pem');
  const said: string[] = [];
  const print = (text: string) => void said.push(text);
  const code = await runOperator(
    ['personal-info', 'make-key', privateFile],
    {},
    { print, printError: print },
  );
  expect(code).toBe(0);
  [, publicLine = ''] = /^PERSONAL_INFO_PUBLIC_KEY=(\S+)$/m.exec(said.join('\n')) ?? [];
  env = {
    DATABASE_URL: (place.env as { DATABASE_URL: string }).DATABASE_URL,
    SECRET_KEY: randomBytes(32).toString('base64'),
    PERSONAL_INFO_PUBLIC_KEY: publicLine,
    SMTP_URL: 'smtp://127.0.0.1:9',
    SITE_URL,
    TRUSTED_PROXY_HOPS: '1',
  };
});

/** A machine with an empty data folder, or the given one. */
async function startMachine(more: Readonly<Record<string, string>> = {}, dataDir?: string): Promise<Host> {
  const existingDataDir = dataDir ?? (await makeFolder());
  return startHost({ existingDataDir, env: { ...env, ...more }, files });
}

function call(host: Host, path: string, { token, cookies, body }: Call = {}): Promise<Response> {
  const headers: Record<string, string> = { 'x-forwarded-for': '192.0.2.7' };
  if (token !== undefined) headers['authorization'] = `Bearer ${token}`;
  if (cookies !== undefined) {
    headers['cookie'] = [...cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    headers['origin'] = SITE_URL;
    headers['x-xsrf-token'] = cookies.get('XSRF-TOKEN') ?? '';
  }
  if (body === undefined) return fetch(host.url + path, { headers });
  if (body instanceof FormData) return fetch(host.url + path, { method: 'POST', headers, body });
  headers['content-type'] = 'application/json';
  return fetch(host.url + path, { method: 'POST', headers, body: JSON.stringify(body) });
}

interface Call {
  readonly token?: string;
  readonly cookies?: ReadonlyMap<string, string>;
  /** With it, the call is a POST. */
  readonly body?: object;
}

async function logIn(host: Host, email: string) {
  const reply = await call(host, '/api/account/login/', {
    body: { email, username: '', password: PASSWORD },
  });
  expect(reply.status).toBe(200);
  const cookies = new Map([...readCookies(reply)].map(([name, { value }]) => [name, value]));
  return { ...((await reply.json()) as Tokens), cookies };
}

const isLoggedIn = async (host: Host, token: string) =>
  (await call(host, '/api/account/profile/', { token })).status === 200;
const refresh = async (host: Host, token: string) =>
  (await (await call(host, '/api/account/token/refresh/', { body: { refresh: token } })).json()) as Tokens;

async function addMember({ database }: Host, username: string, more: object = {}): Promise<string> {
  const password_hash = await hashPassword(PASSWORD);
  return createUser(database, { username, email: `${username}@example.test`, password_hash, ...more });
}

/** A sound that only its artist can hear. */
async function addDraft({ database, storage }: Host, artist_id: string): Promise<{ id: string }> {
  const type_id = await createSoundType(database, { name: 'BGM' });
  const file = { ...toFile('draft'), audio_key: randomBytes(32).toString('hex') };
  await storage.put(toSoundKey(file.audio_key), Buffer.alloc(file.audio_size, 1));
  const sound = { ...file, artist_id, type_id, title: '下書き', description: '静かな雨の音' };
  return createSound(database, { ...sound, is_published: false });
}

test('what one machine has erased is hidden by a restore from the folder of another', async () => {
  const first = await startMachine();
  const artist = await addMember(first, 'artist', { is_verified: true });
  const { id } = await addDraft(first, artist);
  const backups = await makeFolder();
  const database = { kind: 'postgres', url: env.DATABASE_URL } as const;
  const site = { siteName: 'x', version: '0', dataDir: await makeFolder(), database };
  const storage = { kind: 'folder', path: files } as const;
  const { path } = await createBackup({ ...site, storage, files: FILE_OWNERS }, `${backups}/`, {
    withKeys: false,
  });
  await updateRows(first.database, 'sounds', { deleted_at: 1 }, { id });
  await first.close();

  // It becomes the leader, whose jobs erase.
  const leader = await startMachine();
  const listErased = () => listRows(leader.database, 'erasures', {}, ['id']);
  await expect.poll(listErased, { timeout: 60_000 }).toEqual([{ id }]);
  await startMachine({ BACKUP_DIR: backups, BACKUP_EVERY_HOURS: '24' });
  const readList = () => readFile(join(backups, 'erasures.json'), 'utf8').catch(() => '');
  await expect.poll(readList, { timeout: 60_000 }).toContain(id);

  const dataDir = await makeFolder();
  const file = join(dataDir, 'site.sqlite');
  const place = {
    dataDir,
    database: { kind: 'sqlite', file },
    storage: { ...storage, path: join(dataDir, 'files') },
    files: FILE_OWNERS,
  } as const;
  expect((await restoreBackup(place, path)).erased).toEqual({ accounts: 0, sounds: 1 });
  // The machine without the folder knows of it.
  const here = { dataDir: await makeFolder(), backups: null };
  await expect
    .poll(() => listPlaces({ database: leader.database, clock: { now: Date.now } }, here), {
      timeout: 60_000,
    })
    .toMatchObject([{ folder: backups, isHere: false }]);
}, 120_000);

test('two machines accept the sessions, tokens, codes and signed addresses of each other', async () => {
  const [one, other] = [await startMachine(), await startMachine()];
  const artistId = await addMember(one, 'artist', { is_verified: true });
  const { id } = await addDraft(one, artistId);

  const artist = await logIn(one, 'artist@example.test');
  expect(await isLoggedIn(other, artist.access)).toBe(true);
  const next = await refresh(other, artist.refresh);
  // A reply that was lost: the same successor, from a machine that did not give it.
  expect((await refresh(one, artist.refresh)).refresh).toBe(next.refresh);
  expect(await isLoggedIn(one, (await refresh(one, next.refresh)).access)).toBe(true);

  const sound = await call(one, `/api/sounds/${id}/`, { token: artist.access });
  const { file_url } = (await sound.json()) as { file_url: string };
  expect(file_url).toMatch(/\?expires=\d+&signature=/);
  expect((await call(other, file_url)).status).toBe(200);
  expect((await call(other, file_url.replace(/\?.*/, ''))).status).toBe(404);

  await addMember(one, 'staff', { is_staff: true });
  const staff = await logIn(one, 'staff@example.test');
  const openConsole = async (cookies?: ReadonlyMap<string, string>) =>
    (await call(other, '/operator', cookies && { cookies })).headers.get('x-rendered');
  expect(await openConsole(staff.cookies)).toBe('/operator');
  expect(await openConsole(new Map([...staff.cookies, ['console', 'forged']]))).not.toBe('/operator');
  const security = '/api/operator/security/';
  const started = await call(one, `${security}start/`, { token: staff.access, body: {} });
  const { secret } = (await started.json()) as { secret: string };
  const toCode = (aheadMs: number) =>
    new TOTP({ secret: Secret.fromBase32(secret) }).generate({ timestamp: Date.now() + aheadMs });
  const confirmed = await call(other, `${security}confirm/`, {
    token: staff.access,
    body: { code: toCode(0) },
  });
  expect(confirmed.status).toBe(200);
  const { recovery_codes: codes } = (await confirmed.json()) as { recovery_codes: string[] };
  for (const code of [toCode(30_000), codes[0]]) {
    expect((await call(one, `${security}code/`, { token: staff.access, body: { code } })).status).toBe(200);
  }
});

test('two machines know the visitor of each other', async () => {
  const [one, other] = [await startMachine(), await startMachine()];
  const artistId = await addMember(one, 'artist', { is_verified: true });
  const { id } = await addDraft(one, artistId);
  await updateRows(one.database, 'sounds', { is_published: 1 }, { id });
  const path = `/api/sounds/${id}/download-intents`;
  const begun = await call(one, path, { body: {} });
  const cookies = new Map([...readCookies(begun)].map(([name, { value }]) => [name, value]));
  const intent = ((await begun.json()) as { id: string }).id;
  const watching = `/api/download-intents/${intent}/watching`;
  const body = { state: 'begin', notice: 'short' };
  expect((await call(other, watching, { cookies, body })).status).toBe(200);
  expect((await call(other, watching, { body })).status).not.toBe(200);
});

test('photographs of IDs that both machines seal open with the one private key', async () => {
  const machines = [await startMachine(), await startMachine()];
  const photograph = await makePaper(600, 400).jpeg().toBuffer();
  for (const [index, host] of machines.entries()) {
    const userId = await addMember(host, `member${index}`, PAYOUT_DETAILS);
    const { access } = await logIn(host, `member${index}@example.test`);
    const form = new FormData();
    form.append(
      'personal_id_image',
      new Blob([Uint8Array.from(photograph)], { type: 'image/jpeg' }),
      'id.jpg',
    );
    const reply = await call(host, verifyPersonalInfo.path, { token: access, body: form });
    expect(reply.status).toBe(200);
    const { id } = await getRow(host.database, 'personal_info_submissions', { user_id: userId });
    const openingKeys = readOpeningKeys(privateFile);
    const image = await openImage({ storage: host.storage, openingKeys }, { submissionId: id, userId });
    expect(image.byteLength).toBeGreaterThan(1_000);
    expect((await readdir(host.dataDir)).includes('secrets')).toBe(false);
  }
  expect((await stat(privateFile)).mode & 0o777).toBe(0o600);
});

test('a restart with an emptied data folder keeps everybody logged in', async () => {
  const first = await startMachine();
  const { dataDir } = first;
  await addMember(first, 'member');
  const member = await logIn(first, 'member@example.test');
  // Folders that other processes of this version may still use, without anything to keep.
  const kept = (await readdir(dataDir)).filter((name) => !['temporary', 'uploads', 'notices'].includes(name));
  expect(kept).toEqual([]);
  await first.close();
  await rm(dataDir, { recursive: true });
  const second = await startMachine({}, dataDir);
  expect(await isLoggedIn(second, member.access)).toBe(true);
  expect(await isLoggedIn(second, (await refresh(second, member.refresh)).access)).toBe(true);
});

test('a machine without a setting, or with another key, does not start', async () => {
  await startMachine();
  for (const name of ['SECRET_KEY', 'PERSONAL_INFO_PUBLIC_KEY', 'SMTP_URL']) {
    await expect(startMachine({ [name]: '' })).rejects.toThrow(
      /a setting for that is missing here.*SECRET_KEY/s,
    );
  }
  const SECRET_KEY = randomBytes(32).toString('hex');
  await expect(startMachine({ SECRET_KEY })).rejects.toThrow(/^SECRET_KEY is not the key of this site/);
});

test('a new site without the key for IDs does not start, because it would lose the one that it makes', async () => {
  const dataDir = await makeFolder();
  const start = startMachine({ PERSONAL_INFO_PUBLIC_KEY: '' }, dataDir);
  await expect(start).rejects.toThrow(/^PERSONAL_INFO_PUBLIC_KEY is missing.*make-key/s);
  await startMachine({}, dataDir);
});

test('the key is changed with the previous one, machine by machine, and nobody is logged out', async () => {
  const before = await startMachine();
  await addMember(before, 'member');
  const member = await logIn(before, 'member@example.test');
  const changed = { SECRET_KEY: randomBytes(32).toString('hex'), SECRET_KEY_PREVIOUS: env.SECRET_KEY };
  const after = await startMachine(changed);
  expect(await isLoggedIn(after, member.access)).toBe(true);
  const next = await refresh(after, member.refresh);
  expect(await isLoggedIn(after, next.access)).toBe(true);
  // One that is restarted with the old key alone would sign what the others refuse.
  await expect(startMachine()).rejects.toThrow(/^SECRET_KEY is not the key of this site/);
  const later = await startMachine({ SECRET_KEY: changed.SECRET_KEY });
  expect(await isLoggedIn(later, member.access)).toBe(false);
  expect(await isLoggedIn(later, (await refresh(later, next.refresh)).access)).toBe(true);
});

test('a lost key is replaced once the operator has confirmed it in a file', async () => {
  await (await startMachine()).close();
  const dataDir = await makeFolder();
  const changed = { SECRET_KEY: randomBytes(32).toString('hex') };
  const message = await startMachine(changed, dataDir).then(
    () => '',
    (error: Error) => error.message,
  );
  const [, id = '', file = ''] = /write (\S+) into (\S+) and/.exec(message) ?? [];
  expect(id).toMatch(/^key:[0-9a-f]{32}$/);
  await writeFile(file, id);
  await startMachine(changed, dataDir);
  await startMachine(changed);
  await expect(startMachine()).rejects.toThrow(/^SECRET_KEY is not the key of this site/);
});

test('a site that gives up its data folder no longer needs it, and can go back to one', async () => {
  const dataDir = await makeFolder();
  const local = { SECRET_KEY: '', PERSONAL_INFO_PUBLIC_KEY: '', SMTP_URL: '' };
  await (
    await startMachine({ ...local, PERSONAL_INFO_KEY_FILE: join(await makeFolder(), 'key') }, dataDir)
  ).close();
  expect(await readdir(dataDir)).toEqual(expect.arrayContaining(['.site-marker', 'secrets']));
  await expect(startMachine(local)).rejects.toThrow(/\.site-marker is missing/);
  await (await startMachine()).close();
  await expect(startMachine(local, dataDir)).rejects.toThrow(/this site keeps nothing in/);
  const [, id = ''] = await startMachine(local, dataDir).then(
    () => [],
    ({ message }: Error) => /write (\S+) into/.exec(message) ?? [],
  );
  await writeFile(join(dataDir, '.site-marker'), id);
  await startMachine({ ...local, PERSONAL_INFO_KEY_FILE: join(await makeFolder(), 'key') }, dataDir);
});

test('a process that may write into its data folder and the storage only serves and stops', async () => {
  // Marks the shared storage: with these rules Node refuses to flush a file, and nothing else does so at a start.
  await (await startMachine()).close();
  const folder = await makeFolder();
  const [dataDir, dist] = [join(folder, 'data'), join(folder, 'dist')];
  for (const path of [dataDir, join(dist, 'client'), join(dist, 'server')])
    await mkdir(path, { recursive: true });
  await writeFile(join(dist, 'server/entry.mjs'), "export const render = async () => new Response('page');");
  const may = [
    '--permission',
    '--allow-fs-read=*',
    ...[dataDir, files].map((path) => `--allow-fs-write=${path}`),
    '--allow-addons',
    '--allow-worker',
    '--allow-child-process',
  ];
  const child = spawn(process.execPath, [...may, RUNNER, dist], {
    env: {
      PATH: process.env['PATH'],
      NODE_ENV: 'production',
      PORT: '0',
      DATA_DIR: dataDir,
      TEST_FILES: files,
      ...env,
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  onTestFinished(() => void child.kill('SIGKILL'));
  const said: string[] = [];
  child.stderr.on('data', (chunk: Buffer) => void said.push(chunk.toString()));
  const url = await new Promise<string>((resolve, reject) => {
    createInterface(child.stdout).on('line', (line) => {
      said.push(line);
      if (line.includes('"listening"')) resolve(`http://127.0.0.1:${/"url":"[^"]*:(\d+)"/.exec(line)?.[1]}`);
    });
    child.once('exit', () => reject(new Error(said.join('\n'))));
  });
  expect((await fetch(`${url}/readyz`)).status).toBe(200);
  expect((await fetch(`${url}/api/site-config`)).status).toBe(200);
  child.kill('SIGTERM');
  expect(await once(child, 'exit')).toEqual([0, null]);
  expect(said.join('\n')).not.toContain('ERR_ACCESS_DENIED');
});
