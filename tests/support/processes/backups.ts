import { spawn } from 'node:child_process';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { sql } from 'kysely';
import { expect, onTestFinished } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import type { Site } from '#server/features/backups/create.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { payPayout } from '#server/features/ledger/payout-decisions.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { withSnapshot } from '#server/platform/database/snapshots/snapshot.ts';
import { openStorage } from '#server/platform/storage/open.ts';
import type { StorageLocation } from '#server/platform/storage/port.ts';
import type { BucketLocation } from '#server/platform/storage/s3/address.ts';
import { openTemporaryFiles } from '#server/platform/storage/temporary-files.ts';
import { createTestApi } from '#support/http/api.ts';
import type { bothDatabases } from '#support/databases/databases.ts';
import { createVisitor } from '#support/sounds/downloads.ts';
import { addPayee, askForPayout, earn, findOpenPayoutId, toPayoutDeps } from '#support/members/payouts.ts';
import { makeFolder } from '#support/files/folders.ts';
import { makeLongMp3 } from '#support/files/long-mp3.ts';
import { patchSound, readSound, sendSound } from '#support/sounds/uploads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const OPERATOR = fileURLToPath(new URL('../../../server/operator.ts', import.meta.url));

type Kind = (typeof bothDatabases)[number];

/** A site on disk, whose members act through the API. */
export async function makeSite({ locate }: Pick<Kind, 'locate'>, bucket?: BucketLocation) {
  const { location: place, remove, env } = await locate();
  const folder = await makeFolder();
  const dataDir = place.kind === 'sqlite' ? join(place.file, '..') : join(folder, 'data');
  const database = await openDatabase(place);
  onTestFinished(async () => {
    await database.close();
    await remove();
  });
  const storage = toStorage(dataDir, bucket);
  const api = createTestApi(database, {
    storage: await openStorage(storage),
    temporaryFiles: await openTemporaryFiles(join(dataDir, 'temporary')),
    // No waveforms: rows change only when a member acts.
    backgroundJobs: { count: () => 0, start: () => undefined, close: () => Promise.resolve() },
  });
  const site: Site = {
    siteName: 'Test',
    version: '0.0.0',
    dataDir,
    database: place,
    storage,
    files: FILE_OWNERS,
  };
  const type = String(await createSoundType(database, { name: 'BGM' }));
  return {
    site,
    folder,
    database,
    /** The settings of a process that uses it. */
    env: { DATA_DIR: dataDir, ...env },
    members: createMembers(database, api, type),
  };
}

/** What members do, each step acknowledged by its reply. */
function createMembers(database: Database, api: ReturnType<typeof createTestApi>, type: string) {
  let steps = 0;
  let staffId: Promise<string> | undefined;
  return {
    /**
     * A new artist uploads a sound and publishes it, a visitor downloads it, the artist adds it to the favourites and
     * asks for a payout, which the staff pays for every second artist. Returns what was acknowledged.
     */
    async act(): Promise<Acknowledged> {
      const step = (steps += 1);
      staffId ??= addPayee(database, 'staff', { is_staff: true });
      const artistId = await addPayee(database, `member${step}`, { is_verified: true });
      const sent = await sendSound(api, artistId, { content: makeLongMp3(20_000, step), type });
      const { id: soundId } = await readSound(sent);
      await requireOk(patchSound(api, artistId, soundId, { is_published: 'true' }));
      const status = await createVisitor(api).download(soundId);
      if (status !== 200) throw new Error(`download: ${status}`);
      await requireOk(api.post(`/api/sounds/${soundId}/toggle-favorite`, {}, artistId));
      await earn(database, artistId, 5_000);
      await requireOk(askForPayout(api, artistId, { email: `member${step}@example.test` }));
      const isPaid = step % 2 === 0;
      if (isPaid) {
        const id = await findOpenPayoutId(database, artistId);
        await payPayout(toPayoutDeps(database, api.clock), id, await staffId);
      }
      return { artistId, soundId, isPaid };
    },
  };
}

interface Acknowledged {
  readonly artistId: string;
  readonly soundId: string;
  readonly isPaid: boolean;
}

/** The acknowledged actions of `act` of which any row is not in this database. */
export async function findLost({ db }: Database, acknowledged: readonly Acknowledged[]) {
  const [sounds, favorites, credits, requests] = await Promise.all([
    everyTable(db).selectFrom('sounds').select(['id', 'seq', 'is_published']).execute(),
    everyTable(db).selectFrom('favorites').select(['user_id', 'sound_seq']).execute(),
    everyTable(db).selectFrom('download_credits').select(['sound_id']).execute(),
    everyTable(db).selectFrom('transfer_requests').select(['user_id', 'state']).execute(),
  ]);
  const seqs = new Map(sounds.filter((sound) => sound.is_published === 1).map(({ id, seq }) => [id, seq]));
  const liked = new Set(favorites.map(({ user_id, sound_seq }) => `${user_id} ${sound_seq}`));
  const credited = new Set(credits.map(({ sound_id }) => sound_id));
  const asked = new Map(requests.map(({ user_id, state }) => [user_id, state]));
  return acknowledged.filter(
    ({ artistId, soundId, isPaid }) =>
      !liked.has(`${artistId} ${seqs.get(soundId)}`) ||
      !credited.has(soundId) ||
      !(isPaid ? asked.get(artistId) === 'paid' : asked.has(artistId)),
  );
}

/** Starts `npm run operator` as a process. */
export function startOperator(env: Readonly<Record<string, string>>, ...args: readonly string[]) {
  const child = spawn(process.execPath, [OPERATOR, ...args], {
    env: { PATH: process.env['PATH'], NODE_COMPILE_CACHE: process.env['NODE_COMPILE_CACHE'], ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const said = Promise.all([text(child.stdout), text(child.stderr)]);
  const ended = new Promise<{ code: number | null; said: string }>((resolve, reject) => {
    child.on('error', reject);
    child.on('close', (code) => void said.then((texts) => resolve({ code, said: texts.join('') })));
  });
  return { ended, kill: () => child.kill('SIGKILL') };
}

async function requireOk(answer: Promise<Response>): Promise<void> {
  const response = await answer;
  if (response.status !== 200) throw new Error(`${response.status} ${await response.text()}`);
}

/** An empty place to restore to. */
export async function makeEmptyPlace({ locateEmpty }: Pick<Kind, 'locateEmpty'>, bucket?: BucketLocation) {
  const { location, remove, env } = await locateEmpty();
  onTestFinished(remove);
  const dataDir = location.kind === 'sqlite' ? join(location.file, '..') : join(await makeFolder(), 'data');
  const storage = toStorage(dataDir, bucket);
  return {
    place: { dataDir, database: location, storage, files: FILE_OWNERS },
    env: { DATA_DIR: dataDir, ...env },
    remove,
  };
}

function toStorage(dataDir: string, bucket: BucketLocation | undefined): StorageLocation {
  return bucket === undefined ? { kind: 'folder', path: join(dataDir, 'files') } : { kind: 's3', bucket };
}

/** Triggers and foreign keys of a restored database refuse what they always do. */
export async function expectRulesInForce({ db }: Database): Promise<void> {
  await expect(sql`update ledger_entries set amount = 1`.execute(db)).rejects.toThrow();
  await expect(
    sql`insert into favorites (user_id, sound_seq, created_at) values ('nobody', 1, 0)`.execute(db),
  ).rejects.toThrow();
}

/** Every row of every table, as text; on SQLite without the search index. */
export async function readRows(location: Site['database'], scratch: string): Promise<Record<string, string>> {
  return withSnapshot(location, scratch, async ({ db, counts }) => {
    const tables: Record<string, string> = {};
    for (const table of Object.keys(counts).filter((name) => name !== 'migrations')) {
      const rows = await everyTable(db)
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
