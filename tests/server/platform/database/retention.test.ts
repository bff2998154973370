import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { MIGRATIONS } from '#server/platform/database/migrate.ts';
import { openDatabase } from '#server/platform/database/open.ts';
import { bothDatabases } from '#support/databases/databases.ts';

describe.each(bothDatabases)('migration 0032 on $name', ({ locateEmpty }) => {
  test('keeps views of IDs, which are deleted with their submission and not before', async () => {
    const { location, remove } = await locateEmpty();
    onTestFinished(remove);
    const migrations = MIGRATIONS.slice(
      0,
      MIGRATIONS.findIndex(({ name }) => name === '0032-retention'),
    );
    const before = await openDatabase(location, { migrations });
    for (const statement of [
      sql`insert into users (id, username, username_key, username_skeleton, email, email_key, created_at)
        values ('u', 'u', 'u', 'u', 'u', 'u', 1)`,
      sql`insert into personal_info_submissions (id, user_id, state, submitted_at) values ('s', 'u', 'pending', 1)`,
      sql`insert into personal_info_views (submission_id, staff_id, viewed_at, details_hash)
        values ('s', 'u', 2, 'a'), ('s', 'u', 3, 'b')`,
    ]) {
      await statement.execute(before.db);
    }
    await before.close();
    const { db, close } = await openDatabase(location);
    onTestFinished(close);
    const readViews = () => db.selectFrom('personal_info_views').selectAll().orderBy('viewed_at').execute();
    const view = { submission_id: 's', staff_id: 'u' };
    const views = [
      { ...view, viewed_at: 2, details_hash: 'a' },
      { ...view, viewed_at: 3, details_hash: 'b' },
    ];
    expect(await readViews()).toEqual(views);
    await expect(db.deleteFrom('personal_info_views').execute()).rejects.toThrow('on record');
    await expect(db.updateTable('personal_info_views').set({ viewed_at: 9 }).execute()).rejects.toThrow(
      'on record',
    );
    expect(await readViews()).toEqual(views);
    await db.deleteFrom('personal_info_submissions').execute();
    expect(await readViews()).toEqual([]);
  });
});
