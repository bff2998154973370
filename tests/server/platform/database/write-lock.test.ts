import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { classifyFailure } from '#server/platform/database/drivers/failure.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createWriteQueue } from '#server/platform/database/drivers/write-queue.ts';
import { createTestApi } from '#support/http/api.ts';
import { holdLock } from '#support/databases/write-lock.ts';
import { insertRow, listRows } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const WAIT_MS = 400;

describe('while another process holds the lock for writing', () => {
  let folder: string;
  let file: string;
  let database: Database;

  beforeEach(async () => {
    folder = mkdtempSync(join(tmpdir(), 'otoichi-lock-'));
    file = join(folder, 'test.sqlite');
    database = await openDatabase({ kind: 'sqlite', file }, { writeWaitMs: WAIT_MS });
  });
  afterEach(async () => {
    await database.close();
    rmSync(folder, { recursive: true });
  });

  const addGenre = (name: string) => insertRow(database, 'genres', { name });
  const readNames = async () =>
    (await everyTable(database.db).selectFrom('genres').select('name').orderBy('id').execute()).map(
      ({ name }) => name,
    );

  test('the event loop keeps running, reads are answered, and writes are refused in time', async () => {
    await addGenre('before');
    const lock = await holdLock(file);
    let ticks = 0;
    let isRefused = false;
    const timer = setInterval(() => (ticks += 1), 5);
    const startedAt = performance.now();
    const write = addGenre('late').then(
      () => undefined,
      (error: unknown) => {
        isRefused = true;
        return classifyFailure(error);
      },
    );
    const transaction = database.db
      .transaction()
      .execute(() => Promise.resolve())
      .catch((error: unknown) => classifyFailure(error));
    expect(await readNames()).toEqual(['before']);
    expect(isRefused).toBe(false);
    expect(await Promise.all([write, transaction])).toEqual(['busy', 'busy']);
    expect(performance.now() - startedAt).toBeGreaterThanOrEqual(WAIT_MS / 2);
    clearInterval(timer);
    // None if a write held up the thread while it waits.
    expect(ticks).toBeGreaterThan(3);
    await lock.release();
    await addGenre('after');
    expect(await readNames()).toEqual(['before', 'after']);
  });

  test('writes within the time limit succeed in order of arrival', async () => {
    await database.close();
    database = await openDatabase({ kind: 'sqlite', file }, { writeWaitMs: 20_000 });
    const lock = await holdLock(file);
    const names = Array.from({ length: 20 }, (_, index) => `genre ${index}`);
    const writes = names.map((name) => addGenre(name));
    await wait(100);
    await lock.release();
    await Promise.all(writes);
    expect(await readNames()).toEqual(names);
  });

  test('a writing call is answered 503 with Retry-After, a reading one 200', async () => {
    const api = createTestApi(database);
    const lock = await holdLock(file);
    const message = { name: '花子', email: 'hanako@example.test', message: '教えてください。' };
    const [write, read] = await Promise.all([
      api.post('/api/contact/', message),
      api.get('/api/genres/').then(({ status }) => status),
    ]);
    expect([write.status, read]).toEqual([503, 200]);
    expect(write.headers.get('retry-after')).toBe('5');
    expect(api.logged).toMatchObject([{ level: 40, failure: 'busy' }]);
    await lock.release();
  });

  test('a read-only program takes no lock and needs none', async () => {
    await addGenre('one');
    const lock = await holdLock(file);
    const reading = await openDatabase({ kind: 'sqlite', file }, { access: 'read' });
    expect(await listRows(reading, 'genres', {}, ['name'])).toEqual([{ name: 'one' }]);
    await lock.release();
    await reading.db
      .transaction()
      .setAccessMode('read only')
      .execute(async (snapshot) => {
        const count = async () =>
          (await everyTable(snapshot).selectFrom('genres').select('id').execute()).length;
        expect(await count()).toBe(1);
        await addGenre('two');
        expect(await count()).toBe(1);
      });
    const write = insertRow(reading, 'genres', { name: 'three' });
    await expect(write).rejects.toThrow('readonly');
    await reading.close();
    expect(await readNames()).toEqual(['one', 'two']);
  });

  test('reads continue while a transaction of this process is open, and see it after its commit', async () => {
    const { promise, resolve } = Promise.withResolvers<void>();
    const begun = Promise.withResolvers<void>();
    const work = database.db.transaction().execute(async (transaction) => {
      await everyTable(transaction).insertInto('genres').values({ name: 'new' }).execute();
      begun.resolve();
      await promise;
      return everyTable(transaction).selectFrom('genres').select('name').execute();
    });
    await begun.promise;
    expect(await readNames()).toEqual([]);
    resolve();
    expect(await work).toEqual([{ name: 'new' }]);
    expect(await readNames()).toEqual(['new']);
  });
});

test('the queue of writers is bounded, and the next writer is refused at once', async () => {
  const queue = createWriteQueue(2);
  await queue.enter('', 60_000);
  const order: number[] = [];
  const waiting = [1, 2].map((number) => queue.enter('', 60_000).then(() => order.push(number)));
  await expect(queue.enter('', 60_000)).rejects.toThrow('too many');
  queue.leave();
  await waiting[0];
  queue.leave();
  await Promise.all(waiting);
  expect(order).toEqual([1, 2]);
  queue.leave();
  expect(queue.tryEnter()).toBe(true);
  await expect(queue.enter('', 10)).rejects.toThrow('too long');
  queue.leave();
  expect(queue.tryEnter()).toBe(true);
});
