import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedUses } from '#demo/uses.ts';
import { seedWaiting } from '#demo/waiting.ts';
import { findForgeries } from '#server/features/certificates/forgeries.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { FEATURES } from '#server/features.ts';
import { readQueues } from '#server/features/waiting-queues.ts';
import { listReports } from '#server/features/reports/staff-view.ts';
import type { Database } from '#server/platform/database/open.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';
import { everyTable } from '#server/platform/database/schema.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase('sqlite');
});
afterAll(() => database.close());

test('the demo’s staff has reports in three states, held credits, and a mail that was not sent', async () => {
  for (const username of ['Minamo Works', '凪野ことり', '鈴鳴堂']) {
    const email = `${username.length}@example.test`;
    await addSoundOf(database, await createUser(database, { username, email }), { title: '朝の音' });
  }
  const site = { siteUrl: 'http://localhost', siteName: 'Otoichi', operatorEmail: 'a@example.test' };
  const nowMs = Date.UTC(2026, 10, 22, 12);
  await seedWaiting(database, site, nowMs);

  const { reports } = await listReports({ database, clock: { now: () => nowMs } }, {});
  expect(reports.map(({ state, isOverdue, answer }) => [state, isOverdue, answer !== ''])).toEqual([
    ['unanswered', true, false],
    ['answered', false, true],
    ['waiting', false, false],
  ]);
  const counts = (await readQueues(database.db, FEATURES)).map(({ name, count }) => [name, count]);
  expect(Object.fromEntries(counts)).toMatchObject({ reports: 2, credits: 3, 'failed-mails': 1 });
});

test('the demo’s artist has uses in every state but hidden, told with genuine certificates', async () => {
  const dataDir = await makeFolder();
  await seedUses(database, { siteUrl: 'http://localhost', siteName: 'Otoichi', dataDir });
  const uses = await everyTable(database.db)
    .selectFrom('uses')
    .select(['state', 'address'])
    .orderBy('created_at')
    .execute();
  expect(uses.map(({ state }) => state)).toEqual([
    'confirmed',
    'confirmed',
    'confirmed',
    'reported',
    'waiting',
    'waiting',
  ]);
  expect(uses[2]?.address).toMatch(/^https:\/\/xn--/);
  expect(await Array.fromAsync(findForgeries(database.db))).toEqual([]);
});
