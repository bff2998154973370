import { execFile } from 'node:child_process';
import { readFile, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { expect, test } from 'vitest';
import { DEFAULT_ARTIST, fillCatalogue } from '../../../support/catalogue.ts';
import { makeFolder } from '../../../support/folders.ts';
import { startHost } from '../../../support/host.ts';

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
  const { artistIds } = await fillCatalogue(host.database, [{ key: 'rain', title: '雨の音' }]);
  const id = artistIds.get(DEFAULT_ARTIST) ?? '';
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
  };
  for (const [file, source] of Object.entries(sources)) await writeFile(join(folder, file), source);
  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--skipLibCheck'];
  const errors = await run(bin('tsc'), [...options, '--types', 'node', ...Object.keys(sources)], {
    cwd: folder,
  }).then(
    () => '',
    (error: { stdout: string }) => error.stdout,
  );
  const [wrongName, wrongType, ...others] = errors.split(/^(?=\S)/m).filter((line) => line.trim() !== '');
  expect(wrongName).toMatch(/^wrong-name\.mts.*'titel' does not exist/);
  expect(wrongType).toMatch(/^wrong-type\.mts[^]*not assignable/);
  expect(others).toEqual([]);
  const { stdout } = await run(process.execPath, ['client.mts'], {
    cwd: folder,
    env: { ...process.env, API: host.url, ACCESS: await host.logIn(id) },
  });
  expect(stdout).toBe(`雨の音 ${DEFAULT_ARTIST}\n${DEFAULT_ARTIST}\n`);
}, 60_000);
