import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { bothDatabases, deleteRows, updateRows } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

describe.each(bothDatabases)('views of IDs on $name', ({ open }) => {
  test('are deleted with their submission and not before', async () => {
    const { db, close } = await open();
    onTestFinished(close);
    for (const statement of [
      sql`insert into users (id, username, username_key, username_skeleton, email, email_key, created_at)
        values ('u', 'u', 'u', 'u', 'u', 'u', 1)`,
      sql`insert into personal_info_submissions (id, user_id, state, submitted_at) values ('s', 'u', 'pending', 1)`,
      sql`insert into personal_info_views (submission_id, staff_id, viewed_at, details_hash)
        values ('s', 'u', 2, 'a'), ('s', 'u', 3, 'b')`,
    ]) {
      await statement.execute(db);
    }
    const readViews = () =>
      everyTable(db).selectFrom('personal_info_views').selectAll().orderBy('viewed_at').execute();
    const view = { submission_id: 's', staff_id: 'u' };
    const views = [
      { ...view, viewed_at: 2, details_hash: 'a' },
      { ...view, viewed_at: 3, details_hash: 'b' },
    ];
    expect(await readViews()).toEqual(views);
    await expect(deleteRows({ db }, 'personal_info_views')).rejects.toThrow('on record');
    await expect(updateRows({ db }, 'personal_info_views', { viewed_at: 9 })).rejects.toThrow('on record');
    expect(await readViews()).toEqual(views);
    await deleteRows({ db }, 'personal_info_submissions');
    expect(await readViews()).toEqual([]);
  });
});
