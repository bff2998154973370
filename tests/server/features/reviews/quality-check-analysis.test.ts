import { describe, expect, onTestFinished, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { analyseFiles } from '#server/features/reviews/quality-check/analysis.ts';
import { selectUndecodedFiles } from '#server/features/reviews/quality-check/queries.ts';
import { listPendingQualityChecks } from '#server/features/reviews/quality-check/review.ts';
import { createBackgroundJobs } from '#server/platform/concurrency/background-jobs.ts';
import { endLease, takeLease } from '#server/platform/concurrency/leases.ts';
import { createLog } from '#server/platform/log.ts';
import { createTestApi } from '#support/http/api.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { createMemoryStorage } from '#support/files/memory-files.ts';
import { apply, makeSongs, openTestTemporaryFiles, toFileParts } from '#support/members/quality-checks.ts';

describe.each(ruleDatabases)('the files of an application on $name', ({ open }) => {
  test('are decoded by one of several processes', async () => {
    const database = await open();
    onTestFinished(() => database.close());
    const memory = createMemoryStorage();
    let opened = 0;
    const storage = {
      ...memory,
      open: (...call: Parameters<typeof memory.open>) => {
        opened += 1;
        return memory.open(...call);
      },
    };
    const temporaryFiles = await openTestTemporaryFiles();
    // Nothing is decoded until the test asks for it.
    const backgroundJobs = { ...createBackgroundJobs(), start: () => undefined };
    const api = createTestApi(database, { storage, temporaryFiles, backgroundJobs });
    const member = await createUser(database, { username: '音の人', email: 'member@example.test' });
    const typeId = await createSoundType(database, { name: 'BGM' });
    const texts = [
      { name: 'user_id', content: member },
      { name: 'types', content: String(typeId) },
    ];
    const sent = await apply(api, member, [...toFileParts(await makeSongs()), ...texts]);
    expect(sent.status).toBe(200);
    const id = (await listPendingQualityChecks(database.db))[0]?.id ?? '';
    const logger = createLog('silent', { write: () => undefined });
    const deps = { database, storage, temporaryFiles, logger };
    const countUndecoded = async () => (await selectUndecodedFiles(database.db, id)).length;

    opened = 0;
    expect(await takeLease(database, `quality check ${id}`, 'another process', 60_000)).toBe(true);
    await analyseFiles(deps, id);
    expect([await countUndecoded(), opened]).toEqual([3, 0]);
    await endLease(database, `quality check ${id}`, 'another process');
    await Promise.all([analyseFiles(deps, id), analyseFiles(deps, id)]);
    expect([await countUndecoded(), opened]).toEqual([0, 3]);
  });
});
