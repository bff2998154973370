import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { describe, expect, test } from 'vitest';
import type { Database } from '#server/platform/database/open.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createSoundType } from '#server/features/catalogue/genres/service.ts';
import { collectLeftovers } from '#server/features/reviews/life-cycle.ts';
import { QUALITY_CHECK } from '#server/features/reviews/quality-check/kind.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import { openFolderStorage } from '#server/platform/storage/folder.ts';
import type { Storage } from '#server/platform/storage/port.ts';
import { readMails } from '#support/members/accounts.ts';
import { listRows, openLocated, ruleDatabases } from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';
import { makeFolder } from '#support/files/folders.ts';
import { readUser } from '#support/members/profiles.ts';
import { toReviewDeps } from '#support/members/quality-checks.ts';
import { startDoomed } from '#support/processes/doomed.ts';
import { listKeys } from '#support/files/memory-files.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const LOOP = new URL('./quality-check-apply-loop.ts', import.meta.url);
const KILLS = { sqlite: depth(2, 20), postgres: depth(2, 5) };
const MEMBERS = depth(8, 200);
const YEAR_MS = 365 * 86_400_000;

describe.each(ruleDatabases)('an application on $name', ({ name, locate }) => {
  test(
    'U14: is stored completely or not at all when its process is killed',
    { timeout: 120_000 },
    async () => {
      const place = await locate();
      const database = await openLocated(place);
      const folder = await makeFolder();
      const files = join(folder, 'files');
      const storage = await openFolderStorage(files);
      const typeId = String(await createSoundType(database, { name: 'BGM' }));
      const members: string[] = [];
      for (let index = 0; index < MEMBERS; index++) {
        const username = `member${index}`;
        members.push(await createUser(database, { username, email: `${username}@example.test` }));
      }
      const accepted = new Set<string>();
      let cutOff = 0;

      for (let kill = 0; kill < KILLS[name]; kill++) {
        const left = members.filter((member) => !accepted.has(member));
        const args = [JSON.stringify(place.location), files, join(folder, 'temporary'), typeId, ...left];
        const { child, hear, kill } = startDoomed(LOOP, args);
        child.on('message', (member) => void accepted.add(String(member)));
        await hear();
        await kill(60);
        for (const member of members) {
          const isThere = await isThereWhole(database, storage, member);
          if (accepted.has(member)) expect(isThere).toBe(true);
        }
        const incoming = await listRows(database, 'quality_checks', { state: 'incoming' }, ['id']);
        cutOff = Math.max(cutOff, incoming.length);
      }
      expect(accepted.size).toBeGreaterThanOrEqual(KILLS[name]);
      console.info(`${accepted.size} accepted, ${cutOff} cut off in the middle of being stored`);

      const later = { clock: createTestClock(Date.now() + YEAR_MS) };
      await collectLeftovers(toReviewDeps(database, later, storage), QUALITY_CHECK);
      const rows = await everyTable(database.db)
        .selectFrom('quality_check_files')
        .innerJoin('quality_checks', 'quality_checks.id', 'quality_check_id')
        .select(['object_key', 'state'])
        .execute();
      expect(new Set(rows.map(({ state }) => state))).toEqual(new Set(['pending']));
      const keys = rows.map(({ object_key }) => object_key);
      expect(await listKeys(storage, 'quality-check/')).toEqual(keys.toSorted());
    },
  );
});

/** Whether the member has a waiting application; throws for an incomplete one. */
async function isThereWhole(database: Database, storage: Storage, member: string): Promise<boolean> {
  const applications = await everyTable(database.db)
    .selectFrom('quality_checks')
    .select(['id', 'state'])
    .where('user_id', '=', member)
    .where('state', '!=', 'incoming')
    .execute();
  const { status, email } = await readUser(database, member);
  const [application] = applications;
  expect(status).toBe(application === undefined ? '' : 'pending');
  expect(await readMails(database, email)).toHaveLength(applications.length);
  if (application === undefined) return false;
  expect(applications).toMatchObject([{ state: 'pending' }]);
  const files = await listRows(database, 'quality_check_files', { quality_check_id: application.id }, [
    'object_key',
    'sha256',
  ]);
  expect(files).toHaveLength(3);
  for (const { object_key, sha256 } of files) {
    const content = await buffer(await storage.open(object_key ?? ''));
    expect(createHash('sha256').update(content).digest('hex')).toBe(sha256);
  }
  return true;
}
