import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { collectUnclaimedFiles } from '#server/features/my-sounds/files.ts';
import { deleteExpiredUploads } from '#server/features/my-sounds/uploads/leftovers.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { listRows, openLocated, ruleDatabases } from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';
import { makeFolder } from '#support/files/folders.ts';
import { listPieces } from '#support/sounds/resumable-uploads.ts';
import { addUploader, readWholeSounds } from '#support/sounds/uploads.ts';
import { startDoomed } from '#support/processes/doomed.ts';
import { listKeys } from '#support/files/memory-files.ts';

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
      const place = await locate();
      const database = await openLocated(place);
      const folder = await makeFolder();
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
        const args = [JSON.stringify(place.location), folder, artist, type, step, address, end];
        const { child, hear, kill } = startDoomed(LOOP, args);
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
          await hear();
        }
        await kill(end === 'hang' ? 0 : 40);
        kills[last] = (kills[last] ?? 0) + 1;

        const { ids: listed } = await readWholeSounds(database, storage);
        for (const id of made.values()) expect(listed.has(id)).toBe(true);
        // Unless the last call was in progress, every listed sound was acknowledged.
        expect(listed.size - made.size).toBeLessThanOrEqual(1);
        if (end === 'hang') expect(listed.size).toBe(made.size + 1);
      }

      console.info(`killed after: ${JSON.stringify(kills)}; sounds made: ${made.size}`);
      expect(lost).toEqual([]);
      expect((await readWholeSounds(database, storage)).ids.size).toBeGreaterThan(ROUNDS[name] / 8);
      const deps = { database, storage, clock: FAR_AHEAD, logger: console as never };
      await collectUnclaimedFiles(deps);
      await deleteExpiredUploads(deps);
      const { keys } = await readWholeSounds(database, storage);
      expect(await listKeys(storage, 'sounds/')).toEqual(keys);
      expect(await listPieces(storage)).toEqual([]);
      expect(await listRows(database, 'upload_pieces')).toEqual([]);
      expect(await listRows(database, 'resumable_uploads')).toEqual([]);
      expect(await listRows(database, 'unclaimed_files')).toEqual([]);
    },
  );
});
