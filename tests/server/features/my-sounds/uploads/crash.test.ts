import { fork } from 'node:child_process';
import { createHash } from 'node:crypto';
import { once } from 'node:events';
import { mkdir, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, onTestFinished, test } from 'vitest';
import { openDatabase } from '#server/platform/database/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { collectUnclaimedFiles } from '#server/features/my-sounds/files.ts';
import { deleteExpiredUploads } from '#server/features/my-sounds/uploads/leftovers.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { depth, pauseBeforeKill } from '#support/depth.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { listPieces } from '#support/sounds/resumable-uploads.ts';
import { addUploader } from '#support/sounds/uploads.ts';

const LOOP = new URL('./loop.ts', import.meta.url);
const ROUNDS = { sqlite: depth(4, 24), postgres: depth(4, 8) };
const FAR_AHEAD = { now: () => Date.UTC(2040, 0, 1) };

interface Told {
  readonly step: number;
  readonly address: string;
  readonly offset: number;
  readonly id: string;
}

describe.each(ruleDatabases)('uploads in pieces on $name', ({ name, locate }) => {
  test(
    'U14: resume after their process is killed, and each becomes one complete sound',
    { timeout: 180_000 },
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
      await mkdir(join(folder, 'files', 'sounds'));
      const made = new Map<string, string>();
      /** The upload in progress: its file, and the acknowledged bytes. */
      let step = 0;
      let address = '';
      let acknowledged = 0;
      const lost: string[] = [];
      const kills: Record<string, number> = {};

      for (let round = 0; round < ROUNDS[name]; round += 1) {
        const end = round % 4 === 3 ? 'hang' : '';
        const parts = [JSON.stringify(location), folder, artist, String(type), String(step), address, end];
        const child = fork(LOOP, parts, { stdio: ['ignore', 'ignore', 'inherit', 'ipc'] });
        const exit = once(child, 'exit');
        let last = 'started';
        child.on('message', (message) => {
          const [what, told] = message as [string, Told];
          last = what;
          if (what === 'created') [step, address, acknowledged] = [told.step, told.address, 0];
          if (what === 'continued' && told.offset < acknowledged) lost.push(told.address);
          if (what === 'arrived') acknowledged = told.offset;
          if (what !== 'made') return;
          made.set(told.address, told.id);
          [step, address, acknowledged] = [step + 1, '', 0];
        });
        for (let heard = 0; end === 'hang' ? last !== 'committed' : heard <= round % 11; heard += 1) {
          await Promise.race([once(child, 'message'), exit]);
        }
        if (end !== 'hang') await pauseBeforeKill(40);
        child.kill('SIGKILL');
        expect(await exit).toEqual([null, 'SIGKILL']);
        kills[last] = (kills[last] ?? 0) + 1;

        const listed = await checkWhole(database, storage);
        for (const id of made.values()) expect(listed.has(id)).toBe(true);
        // Unless the last call was in progress, every listed sound was acknowledged.
        expect(listed.size - made.size).toBeLessThanOrEqual(1);
        if (end === 'hang') expect(listed.size).toBe(made.size + 1);
      }

      console.info(`killed after: ${JSON.stringify(kills)}; sounds made: ${made.size}`);
      expect(lost).toEqual([]);
      expect((await checkWhole(database, storage)).size).toBeGreaterThan(ROUNDS[name] / 8);
      const deps = { database, storage, clock: FAR_AHEAD, logger: console as never };
      await collectUnclaimedFiles(deps);
      await deleteExpiredUploads(deps);
      await checkWhole(database, storage);
      const rows = await database.db.selectFrom('sounds').select('audio_key').execute();
      expect((await listObjects(folder)).toSorted()).toEqual(rows.map((row) => row.audio_key).toSorted());
      expect(await listPieces(storage)).toEqual([]);
      expect(await database.db.selectFrom('upload_pieces').selectAll().execute()).toEqual([]);
      expect(await database.db.selectFrom('resumable_uploads').selectAll().execute()).toEqual([]);
      expect(await database.db.selectFrom('unclaimed_files').selectAll().execute()).toEqual([]);
    },
  );
});

const LENGTH = makeLongMp3(1_000_000, 0).byteLength;

/** Checks that every sound has its file, byte by byte and of the length sent. Returns their ids. */
async function checkWhole({ db }: Database, storage: Storage): Promise<ReadonlySet<string>> {
  const rows = await db.selectFrom('sounds').select(['id', 'audio_key', 'content_hash']).execute();
  for (const { audio_key, content_hash } of rows) {
    const content = await buffer(await storage.open(`sounds/${audio_key}`));
    expect(content.byteLength).toBe(LENGTH);
    expect(createHash('sha256').update(content).digest('hex')).toBe(content_hash);
  }
  return new Set(rows.map(({ id }) => id));
}

async function listObjects(folder: string): Promise<string[]> {
  const entries = await readdir(join(folder, 'files', 'sounds'), { recursive: true, withFileTypes: true });
  return entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
}
