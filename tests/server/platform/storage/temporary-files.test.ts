import { readdir, stat, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { openTemporaryFiles } from '#server/platform/storage/temporary-files.ts';
import { makeFolder } from '#support/files/folders.ts';

const HOUR_MS = 3_600_000;

async function leave(folder: string, name: string, ageMs: number): Promise<void> {
  await writeFile(join(folder, name), 'x');
  const at = new Date(Date.now() - ageMs);
  await utimes(join(folder, name), at, at);
}

test('U14: files of a crash are swept at the start, and those of another process are not', async () => {
  const folder = await makeFolder();
  await leave(folder, 'old', 2 * HOUR_MS);
  await leave(folder, 'young', 60_000);
  await openTemporaryFiles(folder);
  expect(await readdir(folder)).toEqual(['young']);
});

test('old files are swept within the hour while the process runs', async () => {
  const folder = await makeFolder();
  let now = Date.now();
  const files = await openTemporaryFiles(folder, () => now);
  await leave(folder, 'orphan', 0);
  await (await files.make(false, 1)).remove();
  expect(await readdir(folder)).toEqual(['orphan']);
  now += HOUR_MS + 1_000;
  await (await files.make(false, 1)).remove();
  expect(await readdir(folder)).toEqual([]);
});

test('a file is private to its owner, and can be removed twice', async () => {
  const folder = await makeFolder();
  const file = await (await openTemporaryFiles(folder)).make(true, 1);
  expect((await stat(file.path)).mode & 0o777).toBe(0o600);
  await file.append(Buffer.from('a'));
  await file.append(Buffer.from('b'));
  await file.close();
  for (let time = 0; time < 2; time += 1) expect((await file.read()).toString()).toBe('ab');
  await file.remove();
  await file.remove();
  expect(await readdir(folder)).toEqual([]);
});
