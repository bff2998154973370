import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { collectUnclaimedFiles } from '#server/features/my-sounds/files.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { listRows, openLocated, ruleDatabases } from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';
import { makeFolder } from '#support/files/folders.ts';
import { addUploader, readWholeSounds } from '#support/sounds/uploads.ts';
import { startDoomed } from '#support/processes/doomed.ts';
import { listKeys } from '#support/files/memory-files.ts';

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
      const place = await locate();
      const database = await openLocated(place);
      const folder = await makeFolder();
      const artist = await addUploader(database, 'artist');
      const type = await createSoundType(database, { name: 'BGM' });
      const storage = await openFolderStorage(join(folder, 'files'));
      const uploaded = new Set<string>();
      /** Sent but not answered: possibly deleted, possibly not. */
      const leaving = new Set<string>();
      let step = 0;

      const start = () => {
        const doomed = startDoomed(LOOP, [JSON.stringify(place.location), folder, artist, type]);
        return { ...doomed, ready: doomed.hear() };
      };

      let waiting = start();
      for (let round = 0; round < ROUNDS[name]; round += 1) {
        const { child, ready, hear, kill } = waiting;
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
        for (let heard = 0; heard <= round % 5; heard += 1) await hear();
        await kill(40);

        const { ids: listed } = await readWholeSounds(database, storage);
        for (const id of uploaded) expect(listed.has(id) || leaving.has(id)).toBe(true);
        for (const id of leaving) uploaded.delete(id);
        leaving.clear();
      }

      expect(uploaded.size).toBeGreaterThan(ROUNDS[name] / 4);
      await collectUnclaimedFiles({ database, storage, clock: FAR_AHEAD, logger: console as never });
      const { keys } = await readWholeSounds(database, storage);
      expect(await listKeys(storage, 'sounds/')).toEqual(keys);
      expect(await listRows(database, 'unclaimed_files')).toEqual([]);
    },
  );
});
