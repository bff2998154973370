import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { createBackup } from '#server/features/backups/create.ts';
import { findBackup, readManifest } from '#server/features/backups/read.ts';
import { restoreBackup } from '#server/features/backups/restore.ts';
import { openHost } from '#server/host.ts';
import { openDatabase } from '#server/schema/open.ts';
import { writeRestoreMark } from '#server/platform/database/snapshots/snapshot.ts';
import { openBucket } from '#server/platform/storage/open.ts';
import { parseSettings } from '#server/settings.ts';
import { makeEmptyPlace, makeSite, readRows } from '#support/processes/backups.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { toOutput } from '#support/http/host.ts';
import { runCommand } from '#support/processes/operator.ts';
import { S3_SERVERS, startS3 } from '#support/processes/s3.ts';
import { listKeys } from '#support/files/memory-files.ts';

const TO = 'restored/';
const MARK = `${TO}restores/incomplete`;

type Kind = (typeof bothDatabases)[number];

/** A backup of a site whose files are in a bucket, and an empty place in another part of that bucket. */
async function prepare(kind: Kind, start: () => Promise<number>) {
  const s3 = await startS3(start);
  const { site, folder, members } = await makeSite(kind, s3.location);
  await members.act();
  await members.act();
  const { path } = await createBackup(site, join(folder, 'a.tar'), { withKeys: false });
  const bucket = { ...s3.location, prefix: TO };
  const { place, env } = await makeEmptyPlace(kind, bucket);
  const STORAGE_URL = s3.url.replace(`/${s3.location.prefix}?`, `/${TO}?`);
  /** The same database and bucket as another machine sees them: with an empty data folder. */
  const toOtherMachine = async () => {
    const dataDir = join(await makeFolder(), 'data');
    const database =
      place.database.kind === 'sqlite'
        ? ({ kind: 'sqlite', file: join(dataDir, 'site.sqlite') } as const)
        : place.database;
    return { place: { ...place, dataDir, database }, env: { ...env, DATA_DIR: dataDir, STORAGE_URL } };
  };
  const expectWhole = async (restored: typeof place) => {
    expect(await readRows(restored.database, folder)).toEqual(await readRows(site.database, folder));
    expect(await listKeys(openBucket(bucket))).toEqual(await listKeys(openBucket(s3.location)));
  };
  /** A restore whose files are refused, after the first so many. */
  const interrupt = async (stored = 0) => {
    let left = stored;
    s3.onRequest = ({ method, path: object }) =>
      method === 'PUT' && object.includes(TO) && !object.endsWith(MARK) && (left -= 1) < 0
        ? { kind: 'answer', status: 403 }
        : undefined;
    await expect(restoreBackup(place, path)).rejects.toThrow(/403/);
    s3.onRequest = () => undefined;
  };
  return { s3, path, place, toOtherMachine, interrupt, expectWhole };
}

async function start(env: Readonly<Record<string, string>>): Promise<void> {
  const host = await openHost(parseSettings({ ...env, PORT: '0' }), toOutput());
  await host.close();
}

describe.each(bothDatabases)('P7 a restore on $name', (kind) => {
  test.each(S3_SERVERS)(
    'that stops among the files starts nowhere, and is repeated from another machine ($name)',
    { timeout: 60_000 },
    async ({ start: startServer }) => {
      const { path, toOtherMachine, interrupt, expectWhole } = await prepare(kind, startServer);
      await interrupt(1);

      const other = await toOtherMachine();
      await expect(start(other.env)).rejects.toThrow(/is half restored/);
      const { code, err } = await runCommand(other.env, 'ledger', 'verify');
      expect({ code, err }).toEqual({
        code: 1,
        err: expect.stringMatching(/is half restored|there is no database/),
      });

      const third = await toOtherMachine();
      await restoreBackup(third.place, path);
      await expectWhole(third.place);
      await start(third.env);
    },
  );
});

describe.each(bothDatabases)('P7 a restore on $name', (kind) => {
  const [{ start: startServer }] = S3_SERVERS;

  test('that stops before its marks are removed only removes them when it is repeated', async () => {
    const { s3, path, place, expectWhole } = await prepare(kind, startServer);
    s3.onRequest = ({ method }) => (method === 'DELETE' ? { kind: 'answer', status: 403 } : undefined);
    await expect(restoreBackup(place, path)).rejects.toThrow(/403/);
    s3.onRequest = () => undefined;
    s3.seen.length = 0;
    await restoreBackup(place, path);
    expect(s3.seen.filter(({ method }) => method === 'PUT')).toEqual([]);
    await expectWhole(place);
  });

  test('is refused where the restore of another backup was interrupted', async () => {
    const { place, interrupt } = await prepare(kind, startServer);
    const other = await prepare(kind, startServer);
    await interrupt();
    await expect(restoreBackup(place, other.path)).rejects.toThrow(/restore of another backup/);
  });
});

describe('P7 a restore on postgres', () => {
  const postgres = bothDatabases.find(({ name }) => name === 'postgres');
  const [{ start: startServer }] = S3_SERVERS;
  let prepared: Awaited<ReturnType<typeof prepare>>;

  beforeEach(async () => {
    if (postgres === undefined) throw new Error('no PostgreSQL');
    prepared = await prepare(postgres, startServer);
  });

  test('is refused when a start has created tables since it began', async () => {
    const { path, place } = prepared;
    await (await openDatabase(place.database)).close();
    await expect(restoreBackup(place, path)).rejects.toThrow(/the database of DATABASE_URL is not empty/);
  });

  test('is not reported when the database has other rows than the backup', async () => {
    const { path, place, interrupt } = prepared;
    await interrupt();
    // The database was replaced by one that claims to be filled.
    const { reader } = await findBackup(path);
    const { id } = await readManifest(reader);
    await writeRestoreMark(place.database, { id, state: 'filled' });
    await expect(restoreBackup(place, path)).rejects.toThrow(/has 0 rows instead of \d+/);
  });
});
