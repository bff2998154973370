import { execFile } from 'node:child_process';
import { copyFile, mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { describe, expect, test } from 'vitest';
import { makeFolder } from '#support/files/folders.ts';

const ROOT = join(import.meta.dirname, '../..');
const run = promisify(execFile);

/** Imports a module as `npm start` does, and says whether Node's own stripping of types was needed. */
async function load(
  root: string,
  path: string,
): Promise<{ loaded: Record<string, unknown>; compiled: boolean }> {
  const script = join(await makeFolder(), 'probe.mjs');
  await writeFile(
    script,
    `const loaded = await import(${JSON.stringify(join(root, path))});
    const compiled = process.moduleLoadList.some((name) => name.includes('/amaro/'));
    console.log(JSON.stringify({ loaded, compiled }));`,
  );
  const { stdout } = await run(process.execPath, ['--import', join(root, 'server/check-node.mjs'), script]);
  return JSON.parse(stdout) as { loaded: Record<string, unknown>; compiled: boolean };
}

describe('the start of a built site', () => {
  test('loads the server without a compiler', async () => {
    expect(await load(ROOT, 'server/main.ts')).toMatchObject({ compiled: false });
  });

  test('uses a source that has changed since the build', async () => {
    const root = await makeFolder();
    await mkdir(join(root, 'server'));
    for (const name of ['check-node.mjs', 'stripped-sources.mjs'])
      await copyFile(join(ROOT, 'server', name), join(root, 'server', name));
    await writeFile(join(root, 'server/value.ts'), 'export const value: number = 1;');
    await run(process.execPath, [join(root, 'server/stripped-sources.mjs')]);
    expect(await load(root, 'server/value.ts')).toEqual({ loaded: { value: 1 }, compiled: false });
    await writeFile(join(root, 'server/value.ts'), 'export const value: number = 2;');
    expect(await load(root, 'server/value.ts')).toEqual({ loaded: { value: 2 }, compiled: true });
  });
});
