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

  const options = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'esnext', '--skipLibCheck'];
  const compile = async (source: string) => {
    await writeFile(join(folder, 'client.mts'), source);
    return run(bin('tsc'), [...options, '--types', 'node', 'client.mts'], { cwd: folder }).then(
      () => '',
      (error: { stdout: string }) => error.stdout,
    );
  };
  expect(await compile(program.replace('sound.title', 'sound.titel'))).toContain("'titel' does not exist");
  expect(await compile(program.replace('page_size: 3', "page_size: 'three'"))).toContain('not assignable');
  expect(await compile(program)).toBe('');
  const { stdout } = await run(process.execPath, ['client.mts'], {
    cwd: folder,
    env: { ...process.env, API: host.url, ACCESS: await host.logIn(id) },
  });
  expect(stdout).toBe(`雨の音 ${DEFAULT_ARTIST}\n${DEFAULT_ARTIST}\n`);
}, 60_000);
