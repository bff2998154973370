import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { LOW_BYTES, RESERVE_BYTES, createDiskSpace } from '#server/platform/storage/disk-space.ts';
import { openFolderMail } from '#server/platform/mail/folder.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { makeFolder } from '#support/files/folders.ts';

const FULL = { code: 'ENOSPC' };

describe('room on a disk', () => {
  test('is measured a few times a second, for any number of writes in between', async () => {
    const folder = await makeFolder();
    let measured = 0;
    const room = createDiskSpace(() => {
      measured += 1;
      return Promise.resolve(RESERVE_BYTES + 10_000);
    });
    for (let time = 0; time < 10; time += 1) await room.requireFree(folder, 1_000);
    expect(measured).toBeLessThan(5);
    await expect(room.requireFree(folder, 10_001)).rejects.toMatchObject(FULL);
  });

  test('is measured again after 8 MiB, so that fast writers do not exceed the limit unnoticed', async () => {
    const folder = await makeFolder();
    let free = RESERVE_BYTES + 64 * 1024 ** 2;
    const room = createDiskSpace(() => Promise.resolve(free));
    const write = async () => {
      await room.requireFree(folder, 1024 ** 2);
      // Another process writes equally fast.
      free -= 2 * 1024 ** 2;
    };
    const writes = async () => {
      for (;;) await write();
    };
    await expect(writes()).rejects.toMatchObject(FULL);
    expect(free).toBeGreaterThan(RESERVE_BYTES - 16 * 1024 ** 2);
  });

  test('is measured once for many announcements, and never before one of them', async () => {
    const folder = await makeFolder();
    let announced = 0;
    let scans = 0;
    const room = createDiskSpace(() => Promise.resolve(RESERVE_BYTES + 3));
    room.watch(folder, () => {
      scans += 1;
      return Promise.resolve(announced);
    });
    const outcomes = await Promise.allSettled(
      Array.from({ length: 50 }, () => {
        announced += 1;
        return room.admit(folder);
      }),
    );
    expect(scans).toBeLessThanOrEqual(2);
    expect(outcomes.filter(({ status }) => status === 'fulfilled').length).toBeLessThanOrEqual(3);
  });

  test('runs low before the database has none', async () => {
    const folder = await makeFolder();
    let free = LOW_BYTES;
    const room = createDiskSpace(() => Promise.resolve(free));
    await room.check(folder);
    free -= 1;
    await expect(room.check(folder)).rejects.toMatchObject(FULL);
  });

  test('is reserved for the database: stored files and mails are refused completely', async () => {
    const folder = await makeFolder();
    const room = createDiskSpace(() => Promise.resolve(LOW_BYTES + 1_000));
    const storage = await openFolderStorage(join(folder, 'files'), Date.now, room);
    await storage.put('sounds/small', Buffer.alloc(900));
    await expect(storage.put('sounds/large', Buffer.alloc(1_001))).rejects.toMatchObject(FULL);
    const chunks = () => Readable.from([Buffer.alloc(600), Buffer.alloc(1_001)]);
    await expect(storage.put('sounds/large', chunks())).rejects.toMatchObject(FULL);
    expect(await storage.has('sounds/large')).toBe(false);
    expect(await readdir(join(folder, 'files', '.unfinished'))).toEqual([]);

    const origin = { from: { name: '', address: 'no-reply@example.test' }, siteUrl: 'https://site.example' };
    const mails = openFolderMail(join(folder, 'outbox'), origin, room);
    const mail = { id: 'a', to: 'b@example.test', subject: '件名', html: '<p>x</p>', queuedAtMs: 0 };
    const send = mails.send({ ...mail, text: 'あ'.repeat(1_000) } as Parameters<typeof mails.send>[0]);
    await expect(send).rejects.toMatchObject(FULL);
    expect(await readdir(join(folder, 'outbox'))).toEqual([]);
  });
});
