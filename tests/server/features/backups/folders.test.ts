import { mkdir, readFile, readdir, symlink, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { listDataFiles, listUnknown, toClass, toFolderClasses } from '#server/features/backups/folders.ts';
import { makeFolder } from '#support/files/folders.ts';
import { startHost } from '#support/http/host.ts';

const CLASSES = toFolderClasses(FILE_OWNERS);
const ROOT = new URL('../../../../', import.meta.url);

test('every entry that a started server has in its data folder has a class', async () => {
  const { dataDir } = await startHost();
  const names = await readdir(dataDir);
  expect(names).toEqual(expect.arrayContaining(['files', 'secrets', 'site.sqlite', 'temporary']));
  expect(await listUnknown({ dataDir, files: FILE_OWNERS })).toEqual([]);
});

test('every folder that the program names below the data folder has a class', async () => {
  const named = new Set<string>();
  for (const part of ['server', 'demo']) {
    for (const file of await readdir(new URL(part, ROOT), { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const text = await readFile(new URL(`${part}/${file}`, ROOT), 'utf8');
      const below = /(?:join|resolve)\((?:\w+\.)*(?:dataDir|DATA_DIR), ('[^']+'|[A-Z]+)/g;
      for (const [, name = ''] of text.matchAll(below)) {
        const constant = new RegExp(`const ${name} = '([^']+)'`).exec(text)?.[1];
        named.add(name.startsWith("'") ? name.slice(1, -1) : (constant ?? name));
      }
    }
  }
  expect([...named]).toEqual(expect.arrayContaining(['outbox', '.demo', 'secrets']));
  const unknown = [...named].filter(
    (name) =>
      name !== 'files' && toClass(CLASSES, name) === undefined && toClass(CLASSES, `${name}/`) === undefined,
  );
  expect(unknown).toEqual([]);
});

test('every prefix of a storage key has a class', async () => {
  const prefixes = new Set<string>();
  for (const part of ['server/media', 'server/features']) {
    for (const file of await readdir(new URL(part, ROOT), { recursive: true })) {
      if (!file.endsWith('.ts')) continue;
      const text = await readFile(new URL(`${part}/${file}`, ROOT), 'utf8');
      for (const [, prefix = ''] of text.matchAll(/return `([a-z-]+)\/\$\{[^`]+`;/g)) prefixes.add(prefix);
    }
  }
  for (const prefix of [
    'sounds',
    'pictures',
    'quality-check',
    'personal-info',
    'personal-info-keys',
    'upload-pieces',
  ])
    expect([...prefixes]).toContain(prefix);
  const unknown = [...prefixes].filter((prefix) => toClass(CLASSES, `files/${prefix}/`) === undefined);
  expect(unknown).toEqual([]);
});

test('keys and scratch are left out, links are not followed, and unknown entries are named', async () => {
  const dataDir = await makeFolder();
  for (const entry of Object.keys(CLASSES)) {
    const path = join(dataDir, entry);
    await mkdir(entry.endsWith('/') ? path : join(path, '..'), { recursive: true });
    await writeFile(entry.endsWith('/') ? join(path, 'a') : path, 'content');
  }
  await mkdir(join(dataDir, 'other'));
  await writeFile(join(dataDir, 'files/loose'), '');
  await symlink('/etc/hostname', join(dataDir, 'files/notices/link'));
  const list = async (withKeys: boolean) => {
    const names = [];
    for await (const { name } of listDataFiles(
      { dataDir, storage: { kind: 'folder', path: join(dataDir, 'files') }, files: FILE_OWNERS },
      withKeys,
    ))
      names.push(name);
    return names;
  };
  const data = [
    'files/sounds/a',
    'files/pictures/a',
    'files/quality-check/a',
    'files/personal-info/a',
    'files/notices/a',
    '.demo',
    '.site-marker',
    'files/.site-marker',
  ];
  expect((await list(false)).toSorted()).toEqual(data.toSorted());
  expect((await list(true)).toSorted()).toEqual(
    [...data, 'secrets/a', 'files/personal-info-keys/a'].toSorted(),
  );
  expect(await listUnknown({ dataDir, files: FILE_OWNERS })).toEqual(['files/loose', 'other/']);
});
