import { setTimeout as wait } from 'node:timers/promises';
import { describe, expect, onTestFinished, test } from 'vitest';
import {
  deleteOldLeases,
  endLease,
  isLeaseFree,
  takeLease,
  withLease,
} from '#server/platform/concurrency/leases.ts';
import { createLog } from '#server/platform/log.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';

const LONG_MS = 60_000;
const log = createLog('silent', { write: () => undefined });

describe.each(bothDatabases)('a lease on $name', ({ open }) => {
  async function openForTest() {
    const database = await open();
    onTestFinished(() => database.close());
    return database;
  }

  test('has one holder of all who ask at once, who can renew and end it', async () => {
    const database = await openForTest();
    const asked = await Promise.all(
      Array.from({ length: 10 }, (_, index) => takeLease(database, 'work', String(index), LONG_MS)),
    );
    expect(asked.filter(Boolean)).toHaveLength(1);
    const holder = String(asked.indexOf(true));
    expect(await isLeaseFree(database, 'work')).toBe(false);
    expect(await takeLease(database, 'work', holder, LONG_MS)).toBe(true);
    expect(await takeLease(database, 'other work', 'x', LONG_MS)).toBe(true);
    await endLease(database, 'work', 'somebody else');
    expect(await takeLease(database, 'work', 'x', LONG_MS)).toBe(false);
    await endLease(database, 'work', holder);
    expect(await isLeaseFree(database, 'work')).toBe(true);
    expect(await takeLease(database, 'work', 'x', LONG_MS)).toBe(true);
  });

  test('can be taken by another holder once it has expired, and is deleted a day later', async () => {
    const database = await openForTest();
    expect(await takeLease(database, 'work', 'killed', 150)).toBe(true);
    expect(await takeLease(database, 'work', 'next', 150)).toBe(false);
    await wait(200);
    expect(await isLeaseFree(database, 'work')).toBe(true);
    expect(await takeLease(database, 'work', 'next', 150)).toBe(true);
    expect(await takeLease(database, 'work', 'killed', 150)).toBe(false);
    await takeLease(database, 'old work', 'killed', -25 * 3_600_000);
    await deleteOldLeases(database);
    expect(await listRows(database, 'leases', {}, ['name'])).toEqual([{ name: 'work' }]);
  });

  test('is held while work runs, and ends with it even if it fails', async () => {
    const database = await openForTest();
    let done = 0;
    let refused = 0;
    const held = Promise.withResolvers<void>();
    const work = async () => {
      done += 1;
      await held.promise;
    };
    const calls = [1, 2, 3].map(async () => {
      if (!(await withLease(database, log, 'work', work))) refused += 1;
    });
    await expect.poll(() => refused).toBe(2);
    held.resolve();
    await Promise.all(calls);
    expect([refused, done]).toEqual([2, 1]);
    const failing = withLease(database, log, 'work', () => Promise.reject(new Error('not today')));
    await expect(failing).rejects.toThrow('not today');
    expect(await withLease(database, log, 'work', work)).toBe(true);
  });
});
