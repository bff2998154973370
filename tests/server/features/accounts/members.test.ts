import { beforeEach, describe, expect, test } from 'vitest';
import { suspendMember } from '#server/features/takedowns/suspensions.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { requireStaff } from '#server/features/staff/actions.ts';
import { findMemberByEmail, hasStaff, setBlocked, setStaff } from '#server/features/accounts/members.ts';
import { createTestClock } from '#server/platform/concurrency/clock.ts';
import { useDatabase } from '#support/databases/use-database.ts';
import { bothDatabases } from '#support/databases/databases.ts';

describe.each(bothDatabases)('staff on $name', ({ open, rule }) => {
  const database = useDatabase(open);
  let first: string;
  let second: string;
  const clock = createTestClock(1);

  beforeEach(async () => {
    first = await createUser(database, { username: 'first', email: 'first@example.test', is_staff: true });
    second = await createUser(database, { username: 'second', email: 'second@example.test', is_staff: true });
  });

  rule('cannot remove the last active staff account', async () => {
    await setBlocked({ database, clock }, second, first, 1);
    const leaving = setStaff({ database, clock }, first, first, 0);
    await expect(leaving).rejects.toMatchObject({ message: expect.stringContaining('最後の運営者です。') });
    expect(await hasStaff(database)).toBe(true);
  });

  test('who block each other concurrently leave one active', async () => {
    const results = await Promise.allSettled([
      setBlocked({ database, clock }, second, first, 1),
      setBlocked({ database, clock }, first, second, 1),
    ]);
    expect(results.map(({ status }) => status).toSorted()).toEqual(['fulfilled', 'rejected']);
    expect(await hasStaff(database)).toBe(true);
  });

  rule('cannot decide while they are blocked', async () => {
    await requireStaff(database.db, second);
    await setBlocked({ database, clock }, second, first, 1);
    await expect(requireStaff(database.db, second)).rejects.toMatchObject({ status: 403 });
  });

  rule('cannot unblock a suspended member', async () => {
    const email = 'artist@example.test';
    const id = await createUser(database, { username: 'artist', email });
    const deps = { database, clock, catalogueChanged: () => undefined };
    const site = { siteUrl: 'https://site.example', siteName: 'Otoichi' };
    await suspendMember({ ...deps, ...site }, id, first, '権利者からの申し立てがありました。');
    await expect(setBlocked({ database, clock }, id, first, 0)).rejects.toMatchObject({
      message: expect.stringContaining('停止中のメンバーです。'),
    });
    expect(await findMemberByEmail(database.db, email)).toMatchObject({ is_blocked: 1 });
  });
});
