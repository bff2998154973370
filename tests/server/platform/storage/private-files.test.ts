import fs, { chmodSync, chownSync, mkdirSync, statSync, writeFileSync } from 'node:fs';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { expect, test, vi } from 'vitest';
import { restrictAccess } from '#server/platform/storage/private-files.ts';
import { makeFolder } from '#support/files/folders.ts';

const toMode = (path: string) => statSync(path).mode & 0o7777;
const silent = { warn: () => expect.unreachable() };
const isRoot = process.getuid?.() === 0;

/** A folder and a file in it with these permissions, in the group of the process or another one. */
async function make(folderMode: number, fileMode: number, gid = process.getgid?.() ?? 0) {
  const folder = join(await makeFolder(), 'data');
  const file = join(folder, 'site.sqlite');
  mkdirSync(folder);
  writeFileSync(file, '');
  for (const [path, mode] of [
    [file, fileMode],
    [folder, folderMode],
  ] as const) {
    chownSync(path, process.getuid?.() ?? 0, gid);
    chmodSync(path, mode);
  }
  return { folder, file };
}

test('makes existing and new files private to their owner', async () => {
  const { folder, file } = await make(0o755, 0o644);
  restrictAccess(folder, [file, `${file}-wal`], silent);
  expect([toMode(folder), toMode(file)]).toEqual([0o700, 0o600]);
  const made = join(folder, 'a', 'b');
  restrictAccess(made, [], silent);
  expect(toMode(made)).toBe(0o700);
});

test.runIf(isRoot)('keeps the permissions of a chosen group', async () => {
  const { folder, file } = await make(0o2755, 0o644, 12_345);
  restrictAccess(folder, [file], silent);
  expect([toMode(folder), toMode(file)]).toEqual([0o2750, 0o640]);
});

test('logs where it is refused, and continues', async () => {
  const { folder, file } = await make(0o755, 0o644);
  const told: object[] = [];
  const chmod = fs.chmodSync;
  const spy = vi.spyOn(fs, 'chmodSync').mockImplementation((path, mode) => {
    if (path === folder) throw Object.assign(new Error('refused'), { code: 'EPERM' });
    chmod(path, mode);
  });
  syncBuiltinESMExports();
  try {
    restrictAccess(folder, [file], { warn: (fields: object) => void told.push(fields) });
  } finally {
    spy.mockRestore();
    syncBuiltinESMExports();
  }
  expect(told).toEqual([{ path: folder, refusal: 'EPERM' }]);
  expect(toMode(file)).toBe(0o600);
});
