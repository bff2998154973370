import { rename, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { toSoundKey } from '#server/media/object-keys.ts';
import { openFolderStorage, toFolderPath } from '#server/platform/storage/folder.ts';
import { createBucketStorage } from '#server/platform/storage/s3/bucket.ts';
import { createS3Client } from '#server/platform/storage/s3/client.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import { bothDatabases, getRow, listRows } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { expectReply } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { type Fault, type S3Proxy, startS3 } from '#support/processes/s3.ts';
import {
  addArtist,
  createVisitor,
  readDownloadCount,
  readEarned,
  readVerdicts,
} from '#support/sounds/downloads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const LIMITS = { stallMs: 200, totalMs: 2_000, attempts: 2, pauseMs: 5 };

interface Place {
  readonly storage: Storage;
  /** Begins an outage; the returned function ends it. */
  fail(key: string): Promise<() => unknown>;
}

/** The volume is not mounted. */
async function openUnmounted(): Promise<Place> {
  const root = join(await makeFolder(), 'files');
  return {
    storage: await openFolderStorage(root),
    async fail() {
      await rename(root, `${root}-elsewhere`);
      return () => rename(`${root}-elsewhere`, root);
    },
  };
}

/** The end of the file is lost, and comes back. */
async function openShortened(): Promise<Place> {
  const root = join(await makeFolder(), 'files');
  const storage = await openFolderStorage(root);
  return {
    storage,
    async fail(key) {
      await truncate(join(root, toFolderPath(key)), 47_999);
      return () => truncate(join(root, toFolderPath(key)), 48_000);
    },
  };
}

async function openBucket(): Promise<{ s3: S3Proxy; storage: Storage }> {
  const s3 = await startS3();
  return { s3, storage: createBucketStorage(createS3Client(s3.location, LIMITS)) };
}

const failBucket = (fault: Fault) => async (): Promise<Place> => {
  const { s3, storage } = await openBucket();
  return {
    storage,
    async fail() {
      s3.onRequest = () => fault;
      return () => (s3.onRequest = () => undefined);
    },
  };
};

const OUTAGES = [
  { name: 'a folder that is not mounted', status: 503, open: openUnmounted },
  { name: 'a file that lost its end', status: 503, open: openShortened },
  { name: 'a bucket that is not reached', status: 503, open: failBucket({ kind: 'refuse' }) },
  { name: 'a bucket that answers 503', status: 503, open: failBucket({ kind: 'answer', status: 503 }) },
  { name: 'a bucket that stalls', status: 503, open: failBucket({ kind: 'stall', bytes: 0 }) },
  { name: 'a bucket without the object', status: 503, open: failBucket({ kind: 'answer', status: 404 }) },
] as const;

describe.each(bothDatabases)('downloads during an outage of the storage, on $name', ({ open, rule }) => {
  const { database, api, renewApi } = useApi(open);

  async function prepare(storage: Storage) {
    renewApi({ storage });
    const { artistId, soundId } = await addArtist(database);
    const { audio_key } = await getRow(database, 'sounds', { id: soundId });
    const key = toSoundKey(audio_key);
    await storage.put(key, Buffer.alloc(48_000, 1));
    const visitor = createVisitor(api);
    const { id: intent } = await visitor.begin(soundId);
    await visitor.report(intent, 'begin');
    api.clock.advance(5_000);
    const ask = () => visitor.ask(soundId, { intent, log: true, provider: 'house' });
    const readBooked = async () => ({
      earned: await readEarned(database, artistId),
      count: await readDownloadCount(database, soundId),
      verdicts: await readVerdicts(database, soundId),
      certificates: (await listRows(database, 'certificates', {}, ['id'])).length,
      countedToday: (
        await everyTable(database.db)
          .selectFrom('download_counts')
          .select('downloads')
          .where('subject', 'not like', 'begun%')
          .execute()
      ).length,
      openIntents: (await listRows(database, 'download_intents', { completed_at: null }, ['id'])).length,
    });
    return { soundId, key, visitor, ask, readBooked };
  }

  rule.each(OUTAGES)(
    '$name: nothing is booked, and the same advertisement gets the file later',
    async (outage) => {
      const { storage, fail } = await outage.open();
      const { key, ask, soundId, readBooked } = await prepare(storage);
      const end = await fail(key);
      await expectReply(ask(), outage.status, { detail: expect.stringContaining('もう一度お試しください') });
      // A client that only implements spec §7.
      expect((await createVisitor(api).ask(soundId, { log: true })).status).toBe(outage.status);
      const nothing = { earned: 0, count: 0, verdicts: [], certificates: 0, countedToday: 0, openIntents: 1 };
      expect(await readBooked()).toEqual(nothing);
      await end();
      expect((await ask()).status).toBe(200);
      expect(await readBooked()).toMatchObject({
        earned: 1,
        count: 1,
        verdicts: ['credited'],
        certificates: 1,
        openIntents: 0,
      });
    },
  );

  test('an outage after the booking costs no second advertisement and gives no second credit', async () => {
    const { s3, storage } = await openBucket();
    const { key, ask, readBooked } = await prepare(storage);
    s3.seen.length = 0;
    const first = await ask();
    // One byte, whose connection is free again before anything is booked.
    expect(s3.seen.map(({ method, bytes, isBroken }) => ({ method, bytes, isBroken }))).toEqual([
      { method: 'GET', bytes: 1, isBroken: false },
    ]);
    s3.onRequest = () => ({ kind: 'answer', status: 503 });
    await expect(storage.open(key)).rejects.toThrow(/503/);
    const during = await ask();
    expect([first.status, during.status]).toEqual([200, 503]);
    s3.onRequest = () => undefined;
    const after = await ask();
    expect(await after.json()).toEqual(await first.json());
    expect(await readBooked()).toMatchObject({ earned: 1, count: 1, certificates: 1 });
  });
});
