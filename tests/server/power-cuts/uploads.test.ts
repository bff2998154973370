import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { collectUnclaimedFiles } from '#server/features/my-sounds/files.ts';
import { deleteExpiredUploads } from '#server/features/my-sounds/uploads/leftovers.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { DatabaseLocation } from '#server/platform/database/open.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { locateTestDatabase } from '#support/databases/databases.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { listKeys } from '#support/files/memory-files.ts';
import { type Cut, CUTS, TIMEOUT_MS, cutPower, testOfAllCalls } from '#support/power-cuts/cuts.ts';
import { record } from '#support/power-cuts/record.ts';
import { listPieces, readReceived } from '#support/sounds/resumable-uploads.ts';
import { addUploader, readWholeSounds } from '#support/sounds/uploads.ts';

const LOOP = new URL('../features/my-sounds/uploads/loop.ts', import.meta.url);
const MADE = 2;
const FAR_AHEAD = { now: () => Date.UTC(2040, 0, 1) };

type Told = readonly [
  what: string,
  told: { readonly step: number; readonly address: string; readonly offset: number; readonly id: string },
];

testOfAllCalls(
  'U14: a power loss takes no acknowledged sound or byte of an upload, and leaves no part of one',
  { timeout: TIMEOUT_MS },
  async () => {
    const { location, remove } = await locateTestDatabase('sqlite');
    if (location.kind !== 'sqlite') throw new Error('no file');
    const root = dirname(location.file);
    const database = await openDatabase(location);
    const artist = await addUploader(database, 'artist');
    const type = await createSoundType(database, { name: 'BGM' });
    await database.close();

    let made = 0;
    const recording = await record(root, {
      module: LOOP,
      args: [JSON.stringify(location), root, artist, type, 0, '', ''],
      isLast: (message) => (message as Told)[0] === 'made' && (made += 1) === MADE,
    });
    const failures = await cutPower(recording, CUTS, (cut) => checkUploads(cut));
    await remove();
    expect(failures).toEqual([]);
  },
);

async function checkUploads({ root, heard }: Cut): Promise<void> {
  const location: DatabaseLocation = { kind: 'sqlite', file: join(root, 'site.sqlite') };
  const database = await openDatabase(location);
  try {
    const storage = await openFolderStorage(join(root, 'files'));
    const { ids } = await readWholeSounds(database, storage);
    const received = { address: '', step: 0, offset: 0 };
    let made = 0;
    for (const [what, told] of heard as Told[]) {
      if (what === 'created') Object.assign(received, { ...told, offset: 0 });
      if (what === 'arrived') received.offset = told.offset;
      if (what !== 'made') continue;
      expect(ids).toContain(told.id);
      made += 1;
      received.offset = 0;
    }
    expect(ids.size - made).toBeLessThanOrEqual(1);
    if (received.offset > 0 && ids.size === made) {
      const bytes = await readReceived(database, storage, received.address);
      expect(bytes.byteLength).toBeGreaterThanOrEqual(received.offset);
      const sent = makeLongMp3(1_000_000, received.step).subarray(0, bytes.byteLength);
      expect(bytes.equals(sent)).toBe(true);
    }
    const deps = { database, storage, clock: FAR_AHEAD, logger: console as never };
    await collectUnclaimedFiles(deps);
    await deleteExpiredUploads(deps);
    const { keys } = await readWholeSounds(database, storage);
    expect(await listKeys(storage, 'sounds/')).toEqual(keys);
    expect(await listPieces(storage)).toEqual([]);
  } finally {
    await database.close();
  }
}
