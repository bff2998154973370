import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/platform/database/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { collectUnclaimedFiles } from '#server/features/my-sounds/files.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { depth, pauseBeforeKill } from '#support/depth.ts';
import { makeFolder } from '#support/files/folders.ts';
import { addUploader } from '#support/sounds/uploads.ts';

const LOOP = new URL('./upload-loop.ts', import.meta.url);
/** Each costs a second of processor time; `npm run bench -- upload-kills` has a hundred of them. */
const KILLS = Number(process.env['UPLOAD_KILLS'] ?? depth(4, 40));
const ROUNDS = { sqlite: Math.round(KILLS * 0.7), postgres: Math.max(3, Math.round(KILLS * 0.3)) };
const FAR_AHEAD = { now: () => Date.UTC(2040, 0, 1) };

describe.each(ruleDatabases)('uploads on $name', ({ name, locate }) => {
  test(
    'U14: lose no acknowledged and list no partial upload when their process is killed',
    { timeout: 60_000 + KILLS * 4_000 },
    async () => {
      const { location, remove } = await locate();
      const database = await openDatabase(location);
      const folder = await makeFolder();
      onTestFinished(async () => {
        await database.close();
        await remove();
      });
      const artist = await addUploader(database, 'artist');
      const type = await createSoundType(database, { name: 'BGM' });
      const storage = await openFolderStorage(join(folder, 'files'));
      const uploaded = new Set<string>();
      /** Sent but not answered: possibly deleted, possibly not. */
      const leaving = new Set<string>();
      let step = 0;

      const start = () => {
        const child = fork(LOOP, [JSON.stringify(location), folder, artist, String(type)], {
          stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
        });
        onTestFinished(() => void child.kill('SIGKILL'));
        return { child, ready: once(child, 'message'), exit: once(child, 'exit') };
      };

      let waiting = start();
      for (let round = 0; round < ROUNDS[name]; round += 1) {
        const { child, ready, exit } = waiting;
        // Starting takes the longest, so the next process starts while this one works.
        if (round + 1 < ROUNDS[name]) waiting = start();
        await ready;
        child.on('message', (message) => {
          const [what, value] = message as [string, never];
          if (what === 'begun') step = Number(value) + 1;
          if (what === 'uploaded') uploaded.add(value);
          if (what === 'deleting') leaving.add(value);
          if (what !== 'deleted') return;
          uploaded.delete(value);
          leaving.delete(value);
        });
        child.send(step);
        for (let heard = 0; heard <= round % 5; heard += 1)
          await Promise.race([once(child, 'message'), exit]);
        await pauseBeforeKill(40);
        child.kill('SIGKILL');
        expect(await exit).toEqual([null, 'SIGKILL']);

        const listed = await checkWhole(database, storage);
        for (const id of uploaded) expect(listed.has(id) || leaving.has(id)).toBe(true);
        for (const id of leaving) uploaded.delete(id);
        leaving.clear();
      }

      expect(uploaded.size).toBeGreaterThan(ROUNDS[name] / 4);
      await collectUnclaimedFiles({ database, storage, clock: FAR_AHEAD, logger: console as never });
      await checkWhole(database, storage);
      const rows = await database.db.selectFrom('sounds').select('audio_key').execute();
      expect((await listObjects(folder)).toSorted()).toEqual(rows.map((row) => row.audio_key).toSorted());
      expect(await database.db.selectFrom('unclaimed_files').selectAll().execute()).toEqual([]);
    },
  );
});

/** Checks that every sound has its file, byte by byte. Returns their ids. */
async function checkWhole({ db }: Database, storage: Storage): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('sounds').select(['id', 'audio_key', 'content_hash']).execute();
  for (const { audio_key, content_hash } of rows) {
    const content = await buffer(await storage.open(`sounds/${audio_key}`));
    expect(createHash('sha256').update(content).digest('hex')).toBe(content_hash);
  }
  return new Set(rows.map(({ id }) => id));
}

async function listObjects(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, 'files', 'sounds'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
