import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { hashPassword } from '#server/platform/crypto/crypto.ts';
import { DEFAULT_ARTIST, fillCatalogue } from '#support/sounds/catalogue.ts';
import { makeFolder } from '#support/files/folders.ts';
import { startHost } from '#support/http/host.ts';

const ROOT = new URL('../../../../', import.meta.url).pathname;
const run = promisify(execFile);

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
  const { email } = await host.database.db
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
    {
      cwd: folder,
    },
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
