import { existsSync } from 'node:fs';
import { readFile, rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openHost } from '#server/host.ts';
import { requireMarkers } from '#server/platform/storage/markers.ts';
import { parseSettings } from '#server/settings.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { toOutput } from '#support/http/host.ts';

describe.each(bothDatabases)('the marker files on $name', ({ locate }) => {
  async function makeSite() {
    const place = await locate();
    onTestFinished(() => place.remove());
    const env = { DATA_DIR: await makeFolder(), ...place.env };
    const settings = parseSettings({ ...env, PORT: '0' });
    const start = async () => (await openHost(settings, toOutput())).close();
    return { start, dataDir: env.DATA_DIR, files: join(env.DATA_DIR, 'files') };
  }

  test('are written at the first start and accepted at the next', async () => {
    const { start, dataDir, files } = await makeSite();
    await start();
    const markers = await Promise.all(
      [dataDir, files].map((folder) => readFile(join(folder, '.site-marker'), 'utf8')),
    );
    expect(new Set(markers).size).toBe(2);
    await start();
    expect(await readFile(join(dataDir, '.site-marker'), 'utf8')).toBe(markers[0]);
  });

  test('a start without the storage folder is refused and writes nothing into its place', async () => {
    const { start, dataDir, files } = await makeSite();
    await start();
    await rename(files, join(dataDir, 'unmounted'));
    await expect(start()).rejects.toThrow(/\.site-marker is missing.*mounted/s);
    expect(existsSync(files)).toBe(false);
    await rename(join(dataDir, 'unmounted'), files);
    await start();
  });

  test('the message names the content with which a replaced folder is accepted', async () => {
    const { start, dataDir } = await makeSite();
    await start();
    const file = join(dataDir, '.site-marker');
    const id = (await readFile(file, 'utf8')).trim();
    await rm(file);
    await expect(start()).rejects.toThrow(`write ${id} into ${file}`);
    await writeFile(file, id);
    await start();
  });

  test('the folder of another site is refused', async () => {
    const { start, files } = await makeSite();
    await start();
    await writeFile(join(files, '.site-marker'), 'another-site');
    await expect(start()).rejects.toThrow('belongs to another site');
  });
});

test.each(bothDatabases)(
  'processes that start at the same time agree on a marker on $name',
  async ({ open }) => {
    const database = await open();
    const places = [{ folder: 'files' as const, path: await makeFolder() }];
    await Promise.all(Array.from({ length: 8 }, () => requireMarkers(database, places, 0)));
    await requireMarkers(database, places, 0);
    await database.close();
  },
);
