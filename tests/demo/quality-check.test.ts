import { afterAll, beforeAll, expect, test } from 'vitest';
import { seedQualityCheck } from '../../demo/quality-check.ts';
import type { Database } from '../../server/platform/database/open.ts';
import { createUser } from '../../server/features/accounts/users.ts';
import { createSoundType } from '../../server/features/catalogue/genres/service.ts';
import {
  getQualityCheck,
  listPendingQualityChecks,
} from '../../server/features/reviews/quality-check/review.ts';
import { findQualityCheckStanding } from '../../server/features/reviews/quality-check/standing.ts';
import { openFolderStorage } from '../../server/platform/storage/folder.ts';
import { openTestDatabase } from '../support/databases.ts';
import { makeFolder } from '../support/folders.ts';

let database: Database;

beforeAll(async () => {
  database = await openTestDatabase('sqlite');
  await createSoundType(database, { name: 'BGM', icon: 'music' });
});
afterAll(() => database.close());

test('the demo’s applicant waits with three songs that the staff can hear', async () => {
  const storage = await openFolderStorage(await makeFolder());
  const member = await createUser(database, {
    username: '審査待ちの春',
    email: 'pending@example.test',
    status: 'pending',
  });
  await seedQualityCheck({ database, storage });

  expect(await findQualityCheckStanding(database.db, member)).toMatchObject({ state: 'pending' });
  const [waiting] = await listPendingQualityChecks(database.db);
  expect(waiting).toMatchObject({ username: '審査待ちの春', files: 3 });
  const { files, types } = await getQualityCheck(database.db, waiting?.id ?? '');
  expect(types).toEqual(['BGM']);
  for (const { duration_ms } of files) expect(duration_ms).toBeGreaterThan(10_000);
  const kept = await database.db
    .selectFrom('quality_check_files')
    .select(['object_key', 'size_bytes'])
    .execute();
  for (const { object_key, size_bytes } of kept) {
    expect(await storage.find(object_key ?? '')).toMatchObject({ size: size_bytes });
  }
});
