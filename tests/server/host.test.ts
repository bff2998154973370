import { createServer } from 'node:http';
import { mkdir, readdir, utimes, writeFile } from 'node:fs/promises';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { createSound } from '#server/features/catalogue/service.ts';
import { openHost } from '#server/host.ts';
import { startServer } from '#server/main.ts';
import { FLAT_PEAKS } from '#contract/sounds/peaks.ts';
import { LOW_BYTES, RESERVE_BYTES } from '#server/platform/storage/disk-space.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { parseSettings } from '#server/settings.ts';
import { toFile } from '#support/sounds/catalogue.ts';
import { makeFolder } from '#support/files/folders.ts';
import { startHost, toOutput, withDatabaseOf } from '#support/http/host.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { addUploader } from '#support/sounds/uploads.ts';
import { listRows } from '#support/databases/databases.ts';

const KEY = 'c'.repeat(64);
const output = toOutput();

/** A data folder in which a crash left a partial file and a sound that is not decoded yet. */
async function leaveFolder() {
  const dataDir = join(await makeFolder(), 'data');
  const settings = parseSettings({ PORT: '0', DATA_DIR: dataDir });
  if (settings.storage.kind !== 'folder') throw new Error('storage is no folder');
  const files = settings.storage.path;
  const unfinished = join(files, '.unfinished');
  await mkdir(unfinished, { recursive: true });
  await writeFile(join(unfinished, 'half'), 'half');
  const twoHoursAgo = Date.now() / 1000 - 7_200;
  await utimes(join(unfinished, 'half'), twoHoursAgo, twoHoursAgo);
  const mp3 = makeLongMp3(60_000_000, 1);
  await (await openFolderStorage(files)).put(`sounds/${KEY}`, mp3);
  const seq = await withDatabaseOf(dataDir, async (database) => {
    const artist = await addUploader(database, 'artist');
    const row = { ...toFile('long'), peaks: FLAT_PEAKS, artist_id: artist, title: '長' };
    const type_id = await createSoundType(database, { name: 'BGM' });
    const sound = await createSound(database, {
      ...row,
      type_id,
      audio_key: KEY,
      audio_size: mp3.byteLength,
      is_fresh: true,
    });
    return sound.seq;
  });
  return {
    settings,
    seq,
    readNotes: () =>
      withDatabaseOf(dataDir, (database) =>
        listRows(database, 'undecoded_sounds', {}, ['sound_seq', 'attempts', 'lease_id']),
      ),
    listUnfinished: () => readdir(unfinished),
    listTemporary: () => readdir(join(dataDir, 'temporary')),
  };
}

describe('background jobs', () => {
  test('U14: partial files are swept while the process runs, and not before it listens', async () => {
    const { settings, listUnfinished } = await leaveFolder();
    const host = await openHost(settings, output);
    onTestFinished(() => host.close());
    expect(await listUnfinished()).toEqual(['half']);
    host.startScheduledJobs();
    await expect.poll(listUnfinished).toEqual([]);
  });

  test('U14: a process that stops during a waveform leaves its state unchanged', async () => {
    const { settings, seq, readNotes, listTemporary } = await leaveFolder();
    const host = await openHost(settings, output);
    host.startScheduledJobs();
    await expect
      .poll(readNotes, { timeout: 20_000 })
      .toMatchObject([{ sound_seq: seq, lease_id: expect.any(String) }]);
    expect(await listTemporary()).toHaveLength(1);
    await host.close();
    expect(await readNotes()).toEqual([{ sound_seq: seq, attempts: 0, lease_id: null }]);
    expect(await listTemporary()).toEqual([]);
  });

  test('a process that cannot listen starts no background job', async () => {
    const { settings, listUnfinished, readNotes, seq } = await leaveFolder();
    const taken = createServer().listen(0, '127.0.0.1');
    onTestFinished(() => void taken.close());
    const distDir = join(await makeFolder(), 'dist');
    await mkdir(join(distDir, 'client'), { recursive: true });
    const { port } = taken.address() as AddressInfo;
    const render = () => Promise.resolve(new Response(''));
    const starting = startServer({ ...settings, port }, { distDir, render, output });
    await expect(starting).rejects.toThrow('EADDRINUSE');
    expect(await readNotes()).toEqual([{ sound_seq: seq, attempts: 0, lease_id: null }]);
    expect(await listUnfinished()).toEqual(['half']);
  });
});

describe('a disk that fills up', () => {
  test('is not filled by uploads of one artist, and makes the process unready when it runs low', async () => {
    let free = RESERVE_BYTES + 250 * 1024 ** 2;
    const { url, database, logIn } = await startHost({ measureFree: () => Promise.resolve(free) });
    const artist = await addUploader(database, 'artist');
    const headers = { authorization: `Bearer ${await logIn(artist)}`, 'tus-resumable': '1.0.0' };
    const create = () =>
      fetch(`${url}/api/uploads/`, { method: 'POST', headers: { ...headers, 'upload-length': '104857600' } });
    const answers: number[] = [];
    for (let index = 0; index < 12; index += 1) answers.push((await create()).status);
    expect(answers).toEqual([201, 201, ...Array<number>(10).fill(507)]);

    const statusOf = async (path: string) => (await fetch(url + path)).status;
    free = LOW_BYTES;
    expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([200, 200]);
    free -= 1;
    expect([await statusOf('/readyz'), await statusOf('/healthz')]).toEqual([503, 200]);
    expect(await (await fetch(`${url}/readyz`)).json()).toEqual({
      status: 'unavailable',
      parts: { database: 'ok', disk: 'full', storage: 'ok' },
    });
    free += 1;
    expect(await statusOf('/readyz')).toBe(200);
  });
});

test('a page of this process takes the same replies as values, and refusals as they are', async () => {
  const settings = parseSettings({ PORT: '0', DATA_DIR: join(await makeFolder(), 'data') });
  const server = await startServer(settings, { output, render: async () => new Response() });
  onTestFinished(() => server.close());
  const { fetchApi } = server.host.locals;
  for (const path of ['/api/sounds/?page=2', '/api/sounds/genres', '/api/site-config', '/api/sounds/none/']) {
    const [sent, taken] = await Promise.all([fetch(server.url + path), fetchApi?.(server.url + path)]);
    const value = taken?.body ? await taken.json() : taken?._data;
    expect([taken?.status, JSON.parse(JSON.stringify(value))]).toEqual([sent.status, await sent.json()]);
    expect(taken?.body === null).toBe(sent.ok);
  }
});
