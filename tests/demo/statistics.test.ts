import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedStatistics } from '#demo/statistics.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { readOwnStatistics } from '#server/features/statistics/own-statistics.ts';
import type { Database } from '#server/platform/database/open.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const ARTIST = 'Minamo Works';
let database: Database;

beforeAll(async () => {
  database = await openTestDatabase('sqlite');
});
afterAll(() => database.close());

test('one artist of the demo has plays, downloads, favourites, sources and words all year', async () => {
  const add = (username: string) =>
    createUser(database, { username, email: `${username.length}@example.test` });
  const ids = new Map([
    [ARTIST, await add(ARTIST)],
    ['another', await add('another')],
  ]);
  const id = await addSoundOf(database, ids.get(ARTIST) ?? '');
  const { seq } = await everyTable(database.db).selectFrom('sounds').select('seq').executeTakeFirstOrThrow();
  const nowMs = Date.UTC(2026, 10, 22, 12);
  const counts = { downloadCount: 5_000, favoriteCount: 1, createdDaysAgo: 500 };
  await seedStatistics(database, [{ id, seq, artist: ARTIST, isPublished: true, ...counts }], ids, nowMs);
  const read = (span: 'year' | 'days') =>
    readOwnStatistics(database, ids.get(ARTIST) ?? '', { span, soundId: '' }, nowMs);
  const { parts, sources, sounds } = await read('year');
  expect(parts.every(({ plays, downloads }) => plays > downloads && downloads > 0)).toBe(true);
  expect([sources.length, sounds[0]?.favorites]).toEqual([8, 1]);
  expect((await read('days')).words.length).toBeGreaterThan(1);
});
