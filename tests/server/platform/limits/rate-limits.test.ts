import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { createRateLimits } from '#server/platform/limits/counting.ts';
import { TooManyRequests, isWithinLimit } from '#server/platform/limits/rate-limits.ts';
import type { RateLimit, RateLimits } from '#server/platform/limits/rate-limits.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';
import { bothDatabases, openTestDatabase } from '#support/databases/databases.ts';

describe.each(bothDatabases)('rate limits on $name', ({ open }) => {
  const database = useDatabaseOnce(open);
  let limits: RateLimits;
  let serial = 0;
  let limit: RateLimit;

  beforeEach(() => {
    vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2026, 3, 1) });
    limits = createRateLimits(database);
    serial += 1;
    limit = { name: `test-${serial}`, points: 3, perSec: 60 };
  });
  afterEach(() => {
    vi.useRealTimers();
  });

  const take = (key = 'a') => limits.take(limit, key);
  const waitSeconds = (seconds: number) => vi.setSystemTime(Date.now() + seconds * 1_000);

  test('refuse calls after the limit until the period ends, and report how long that is', async () => {
    for (let time = 0; time < 3; time++) await take();
    waitSeconds(20.5);
    const error = await take().catch((reason: unknown) => reason);
    expect(error).toBeInstanceOf(TooManyRequests);
    expect(error).toMatchObject({ retryAfterSec: 40 });
    waitSeconds(40);
    await take();
  });

  test('count each key and each limit separately', async () => {
    for (let time = 0; time < 3; time++) await take();
    await take('b');
    await limits.take({ ...limit, name: `other-${serial}` }, 'a');
    await take('x'.repeat(10_000));
    await take('\u0000音');
    await expect(take()).rejects.toThrow(TooManyRequests);
  });

  test('count exactly under concurrency', async () => {
    const taken = await Promise.all(Array.from({ length: 20 }, () => isWithinLimit(limits, limit, 'a')));
    expect(taken.filter(Boolean)).toHaveLength(3);
  });

  test('can undo one call, and reset', async () => {
    for (let time = 0; time < 3; time++) await take();
    await limits.refund(limit, 'a');
    await take();
    await expect(take()).rejects.toThrow(TooManyRequests);
    await limits.reset(limit, 'a');
    for (let time = 0; time < 3; time++) await take();
    await expect(take()).rejects.toThrow(TooManyRequests);
  });
});

test('rate limits keep a bounded number of keys, and those that are counted most recently', async () => {
  const database = await openTestDatabase('sqlite');
  const limits = createRateLimits(database);
  const limit = { name: 'rotating', points: 2, perSec: 3_600 };
  await limits.take(limit, 'forgotten');
  await limits.take(limit, 'forgotten');
  for (let index = 0; index < 30_000; index += 1) {
    if (index % 10_000 === 0) await limits.take(limit, 'attacked').catch(() => undefined);
    await limits.take(limit, `2001:db8:${index}::/64`);
  }
  await expect(limits.take(limit, 'attacked')).rejects.toThrow(TooManyRequests);
  await limits.take(limit, 'forgotten');
  await database.close();
});

test('rate limits are shared by processes on one PostgreSQL, and store no address', async () => {
  const database = await openTestDatabase('postgres');
  const limit = { name: 'shared', points: 2, perSec: 60 };
  for (const limits of [createRateLimits(database), createRateLimits(database)]) {
    await limits.take(limit, 'member@example.test');
  }
  await expect(createRateLimits(database).take(limit, 'member@example.test')).rejects.toThrow(
    TooManyRequests,
  );
  await database.close();
});

test('rate limits are counted in the process while PostgreSQL is unreachable', async () => {
  const database = await openTestDatabase('postgres');
  const limits = createRateLimits(database);
  const limit = { name: 'alone', points: 2, perSec: 60 };
  await database.close();
  await limits.take(limit, 'a');
  await limits.take(limit, 'a');
  await limits.refund(limit, 'a');
  await limits.take(limit, 'a');
  await expect(limits.take(limit, 'a')).rejects.toThrow(TooManyRequests);
  await limits.reset(limit, 'a');
  await limits.take(limit, 'a');
});
