import { join } from 'node:path';
import { onTestFinished } from 'vitest';
import type { Site } from '../../server/features/backups/create.ts';
import { createSoundType } from '../../server/features/catalogue/genres/service.ts';
import { openDatabase } from '../../server/platform/database/open.ts';
import type { Database } from '../../server/platform/database/open.ts';
import { withSnapshot } from '../../server/platform/database/snapshot.ts';
import { openFolderStorage } from '../../server/platform/storage/folder.ts';
import { openTemporaryFiles } from '../../server/platform/storage/temporary-files.ts';
import { createTestApi } from './api.ts';
import type { everyDatabase } from './databases.ts';
import { createVisitor } from './downloads.ts';
import { addPayee, askForTransfer, earn } from './finance.ts';
import { makeFolder } from './folders.ts';
import { makeLongMp3 } from './long-mp3.ts';
import { patchSound, readSound, sendSound } from './uploads.ts';

type Kind = (typeof everyDatabase)[number];

/** A site on disk, whose members act through the API. */
export async function makeSite({ locate }: Pick<Kind, 'locate'>) {
  const { location: place, remove } = await locate();
  const folder = await makeFolder();
  const dataDir = place.kind === 'sqlite' ? join(place.file, '..') : join(folder, 'data');
  const database = await openDatabase(place);
  onTestFinished(async () => {
    await database.close();
    await remove();
  });
  const api = createTestApi(database, {
    storage: await openFolderStorage(join(dataDir, 'files')),
    temporaryFiles: await openTemporaryFiles(join(dataDir, 'temporary')),
    // No waveforms: rows change only when a member acts.
    backgroundJobs: { start: () => undefined, close: () => Promise.resolve() },
  });
  const site: Site = { siteName: 'Test', version: '0.0.0', dataDir, database: place };
  const type = String(await createSoundType(database, { name: 'BGM' }));
  return { site, folder, database, api, type, members: createMembers(database, api, type) };
}

/** What members do, each step acknowledged by its reply. */
function createMembers(database: Database, api: ReturnType<typeof createTestApi>, type: string) {
  let steps = 0;
  return {
    /**
     * A new artist uploads a sound and publishes it, a visitor downloads it, the artist adds it to the favourites and
     * asks for a payout. Returns what was acknowledged.
     */
    async act(): Promise<{ artistId: string; soundId: string }> {
      const step = (steps += 1);
      const artistId = await addPayee(database, `member${step}`, { is_verified: true });
      const sent = await sendSound(api, artistId, { content: makeLongMp3(20_000, step), type });
      const { id: soundId } = await readSound(sent);
      await requireOk(patchSound(api, artistId, soundId, { is_published: 'true' }));
      const status = await createVisitor(api).download(soundId);
      if (status !== 200) throw new Error(`download: ${status}`);
      const authorization = `Bearer ${await api.logIn(artistId)}`;
      await requireOk(api.post(`/api/sounds/${soundId}/toggle-favorite`, {}, { authorization }));
      await earn(database, artistId, 5_000);
      await requireOk(askForTransfer(api, artistId, { email: `member${step}@example.test` }));
      return { artistId, soundId };
    },
  };
}

async function requireOk(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
}

/** An empty place to restore to. */
export async function makeEmptyPlace({ locateEmpty }: Pick<Kind, 'locateEmpty'>) {
  const { location, remove, env } = await locateEmpty();
  onTestFinished(remove);
  const dataDir = location.kind === 'sqlite' ? join(location.file, '..') : join(await makeFolder(), 'data');
  return { place: { dataDir, database: location }, env: { DATA_DIR: dataDir, ...env } };
}

/** Every row of every table but those that a snapshot counts as its own, as text. */
export async function readRows(location: Site['database'], scratch: string): Promise<Record<string, string>> {
  return withSnapshot(location, scratch, async ({ db, counts }) => {
    const tables: Record<string, string> = {};
    for (const table of Object.keys(counts).filter((name) => name !== 'migrations')) {
      const rows = await db
        .selectFrom(table as 'users')
        .selectAll()
        .execute();
      tables[table] = rows
        .map((row) => JSON.stringify(row))
        .toSorted()
        .join('\n');
    }
    return tables;
  });
}
