import { createHash, generateKeyPairSync, randomBytes } from 'node:crypto';
import { createWriteStream, existsSync } from 'node:fs';
import { mkdir, readFile, readdir, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pipeline } from 'node:stream/promises';
import { zstdDecompressSync } from 'node:zlib';
import tar from 'tar-stream';
import { expect, test } from 'vitest';
import { openHost } from '#server/host.ts';
import { runOperator } from '#server/operator/run.ts';
import { parseSettings } from '#server/settings.ts';
import { makeEmptyPlace, makeSite } from '#support/processes/backups.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';

const kind = bothDatabases[0];
if (kind === undefined) throw new Error('no database');
const sqlite = kind;

async function run(env: Readonly<Record<string, string>>, ...args: string[]) {
  const said: string[] = [];
  const add = (line: string) => void said.push(line);
  const code = await runOperator(args, env, { print: add, printError: add });
  return { code, said: said.join('\n') };
}

test('a site is backed up, verified, listed and restored', async () => {
  const { env, folder, members } = await makeSite(sqlite);
  await members.act();
  const archive = join(folder, 'a.tar');
  const made = await run(env, 'backup', 'create', archive);
  expect(made).toEqual({ code: 0, said: expect.stringContaining(`${archive}: 1 files and the database`) });
  expect(made.said).toMatch(/Keep elsewhere: DATA_DIR\/secrets\/, .*-keys\/personal-info/);
  expect((await stat(archive)).mode & 0o777).toBe(0o600);
  expect(await run(env, 'backup', 'create', archive)).toEqual({
    code: 1,
    said: `operator: ${archive} exists already`,
  });

  expect((await run(env, 'backup')).said).toContain('Last verified: none');
  const verified = await run(env, 'backup', 'verify', archive);
  expect(verified).toEqual({ code: 0, said: expect.stringMatching(/is complete: \d+ entries/) });
  const listed = JSON.parse((await run(env, 'backup', '--json')).said) as Record<string, unknown>;
  expect(listed).toMatchObject({ lastBackup: { path: archive }, lastVerified: { path: archive } });

  const { env: empty } = await makeEmptyPlace(sqlite);
  const restored = await run(empty, 'backup', 'restore', archive);
  expect(restored).toEqual({ code: 0, said: expect.stringContaining('The keys are not in the backup.') });
  expect(await run(empty, 'ledger', 'verify')).toMatchObject({ code: 0 });
});

test('a site with keys in its settings is told of no folder that it does not have', async () => {
  const { env, folder } = await makeSite(sqlite);
  const { publicKey } = generateKeyPairSync('x25519', {
    publicKeyEncoding: { format: 'pem', type: 'spki' },
    privateKeyEncoding: { format: 'pem', type: 'pkcs8' },
  });
  const secret = randomBytes(32).toString('base64');
  const settings = { SECRET_KEY: secret, PERSONAL_INFO_PUBLIC_KEY: publicKey };
  const made = await run({ ...env, ...settings }, 'backup', 'create', join(folder, 'a.tar'));
  const { env: empty } = await makeEmptyPlace(sqlite);
  const restored = await run({ ...empty, ...settings }, 'backup', 'restore', join(folder, 'a.tar'));
  for (const { code, said } of [made, restored]) {
    expect(code, said).toBe(0);
    expect(said).toContain('SECRET_KEY, PERSONAL_INFO_PUBLIC_KEY, personal-info-keys/');
    expect(said).not.toMatch(/secrets\/|-keys\/personal-info/);
  }
});

test('keys are in a backup only when they are asked for', async () => {
  const { env, site, folder } = await makeSite(sqlite);
  await mkdir(join(site.dataDir, 'secrets'));
  await writeFile(join(site.dataDir, 'secrets/sessions'), 'CANARY');
  await run(env, 'backup', 'create', join(folder, 'a.tar'));
  expect((await readFile(join(folder, 'a.tar'))).includes('CANARY')).toBe(false);
  const made = await run(env, 'backup', 'create', join(folder, 'b.tar'), '--with-keys');
  expect(made.said).toContain('It holds the keys');
  const { place, env: empty } = await makeEmptyPlace(sqlite);
  await run(empty, 'backup', 'restore', join(folder, 'b.tar'));
  const secret = join(place.dataDir, 'secrets/sessions');
  expect(await readFile(secret, 'utf8')).toBe('CANARY');
  expect((await stat(secret)).mode & 0o777).toBe(0o600);
  expect(await run(env, 'backup', 'verify', join(folder, 'b.tar'), '--with-keys')).toMatchObject({ code: 2 });
});

test('a half-restored place is used by no command and no server', async () => {
  const { env } = await makeSite(sqlite);
  await writeFile(join(env.DATA_DIR, 'restore-incomplete.json'), '{"id":"x"}');
  expect(await run(env, 'members', 'show', 'a@example.test')).toEqual({
    code: 1,
    said: expect.stringContaining('is half restored'),
  });
  await expect(openHost(parseSettings({ ...env, PORT: '0' }))).rejects.toThrow(/is half restored/);
});

test('a file that is no backup, or that is missing, is refused', async () => {
  const folder = await makeFolder();
  const { env } = await makeEmptyPlace(sqlite);
  await writeFile(join(folder, 'text'), 'no archive'.repeat(1_000));
  for (const verb of ['verify', 'restore']) {
    expect(await run(env, 'backup', verb, join(folder, 'text'))).toMatchObject({ code: 1 });
    expect(await run(env, 'backup', verb, join(folder, 'none'))).toEqual({
      code: 1,
      said: expect.stringContaining('cannot be read (ENOENT)'),
    });
    expect(await run(env, 'backup', verb, folder)).toEqual({
      code: 1,
      said: expect.stringContaining('has no backup'),
    });
  }
  expect(await run(env, 'backup', 'create', '')).toMatchObject({ code: 2 });
});

test.each([
  'data/../../escaped',
  'database/../../escaped',
  '/escaped',
  'data/files/other/a',
  'data/site.sqlite',
])('an archive with the entry %s is refused, and writes nothing', async (name) => {
  const { env, folder } = await makeSite(sqlite);
  await run(env, 'backup', 'create', join(folder, 'backups/'));
  const names = await readdir(join(folder, 'backups'));
  const backup = names.find((each) => each.startsWith('20')) ?? '';
  const pack = tar.pack();
  const sums: string[] = [];
  const add = (entry: string, content: Buffer) => {
    pack.entry({ name: entry }, content);
    sums.push(`${createHash('sha256').update(content).digest('hex')}  ${entry}\n`);
  };
  const read = (file: string) => readFile(join(folder, 'backups', backup, file));
  add('manifest.json', await read('manifest.json'));
  add('database/site.sqlite', zstdDecompressSync(await read('database/site.sqlite.zst')));
  add('summary.json', await read('summary.json'));
  add(name, Buffer.from('hostile'));
  pack.entry({ name: 'SHA256SUMS' }, sums.join(''));
  pack.finalize();
  const archive = join(folder, 'hostile.tar');
  await pipeline(pack, createWriteStream(archive));
  const { place, env: empty } = await makeEmptyPlace(sqlite);
  expect(await run(empty, 'backup', 'restore', archive)).toEqual({
    code: 1,
    said: expect.stringContaining('an entry that this program does not restore'),
  });
  expect(await readdir(place.dataDir)).toEqual([]);
  await run(env, 'backup', 'verify', archive);
  for (const path of [join(place.dataDir, '../escaped'), '/escaped', '/tmp/escaped'])
    expect(existsSync(path)).toBe(false);
});
