import { expect, onTestFinished, test } from 'vitest';
import { seedNotices } from '#demo/notices.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { selectListed } from '#server/features/notices/rows.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { makeFolder } from '#support/files/folders.ts';
import { createMemoryStorage } from '#support/files/memory-files.ts';

test('the demo shows two pictures before downloads', async () => {
  const database = await openTestDatabase('sqlite');
  onTestFinished(() => database.close());
  await createUser(database, { username: '運営', email: 'staff@example.test', is_staff: true });
  const storage = createMemoryStorage();
  await seedNotices({ database, storage }, await makeFolder());
  const seconds = (await selectListed(database.db)).map((row) => row.seconds);
  expect(seconds).toEqual([10, 15]);
  expect(storage.objects.size).toBe(2);
});
