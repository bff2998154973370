import { afterAll, beforeAll, expect, test } from 'vitest';
import { demoAccounts } from '#demo/accounts.ts';
import { seedQualityCheck } from '#demo/quality-check.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { getQualityCheck, listPendingQualityChecks } from '#server/features/reviews/quality-check/review.ts';
import { findQualityCheckReviewState } from '#server/features/reviews/quality-check/review-state.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { everyTable } from '#server/platform/database/schema.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase('sqlite');
  await createSoundType(database, { name: 'BGM', icon: 'music' });
});
afterAll(() => database.close());

test('the demo’s applicants wait with songs that the staff can hear, and one was rejected before', async () => {
  const storage = await openFolderStorage(await makeFolder());
  const state = { status: 'pending' } as const;
  const applicants = demoAccounts.filter((account) => account.state.status === 'pending');
  const ids = [];
  for (const { username, email } of applicants)
    ids.push(await createUser(database, { username, email, ...state }));
  await createUser(database, { username: 'staff', email: 'staff@example.test', is_staff: true });
  await seedQualityCheck({ database, storage });

  for (const id of ids) {
    expect(await findQualityCheckReviewState(database.db, id)).toMatchObject({ state: 'pending' });
  }
  const waiting = await listPendingQualityChecks(database.db);
  expect(waiting.map(({ username, files }) => [username, files])).toEqual(
    applicants.map(({ username }) => [username, 3]).toReversed(),
  );
  const opened = await Promise.all(waiting.map(({ id }) => getQualityCheck(database.db, id)));
  for (const { files, types } of opened) {
    expect(types).toEqual(['BGM']);
    for (const { duration_ms } of files) expect(duration_ms).toBeGreaterThan(10_000);
  }
  expect(opened[0]?.history).toMatchObject([{ state: 'rejected', decided_by: 'staff' }]);
  expect(opened[1]?.files.map(({ alsoFrom }) => alsoFrom)).toEqual([['審査待ちの春'], [], ['審査待ちの春']]);
  const kept = await everyTable(database.db)
    .selectFrom('quality_check_files')
    .select(['object_key', 'size_bytes'])
    .execute();
  for (const { object_key, size_bytes } of kept) {
    expect(await storage.find(object_key ?? '')).toMatchObject({ size: size_bytes });
  }
});
