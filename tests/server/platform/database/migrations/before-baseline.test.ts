import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { type Database, listPending } from '#server/platform/database/open.ts';
import { MIGRATIONS } from '#server/schema/migrations.ts';
import { openDatabase } from '#server/schema/open.ts';
import { compareSchema } from '#server/platform/database/migrations/schema-comparison.ts';
import { makeFolder } from '#support/files/folders.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';
import { withClient } from '#support/databases/postgres-server.ts';
import { type RecordedSite, readSites, unpackSite } from '#support/databases/recorded-sites.ts';

describe.each(bothDatabases)('recorded sites on $name', ({ name: kind, locateEmpty }) => {
  async function locate(site: RecordedSite) {
    if (kind === 'sqlite')
      return { kind, file: `${unpackSite(site, await makeFolder())}/site.sqlite` } as const;
    const { location, remove } = await locateEmpty();
    onTestFinished(remove);
    if (location.kind !== 'postgres') throw new Error('not PostgreSQL');
    await withClient(location.url, (client) => client.query(site.postgres));
    return location;
  }

  test.each(readSites())('get the tables of this program from $name, with their rows', async (site) => {
    const location = await locate(site);
    expect((await listPending(location, MIGRATIONS)).isEmpty).toBe(false);
    const database = await openDatabase(location);
    expect(await compareSchema(database, location, MIGRATIONS)).toEqual([]);
    expect(await listPending(location, MIGRATIONS)).toEqual({ isEmpty: false, names: [] });
    expect(await countRows(database)).toEqual({ sounds: 2, users: 3, favorites: 1 });
    await database.close();
  });

  test('get the states of this program from 24 November 2026', async () => {
    const site = readSites().find(({ name }) => name === '1.3.0-2026-11-24');
    if (site === undefined) throw new Error('not recorded');
    const { db, close } = await openDatabase(await locate(site));
    const read = async (table: string) =>
      (await sql<{ state: string }>`select state from ${sql.table(table)}`.execute(db)).rows;
    expect(await read('personal_info_submissions')).toEqual([{ state: 'approved' }]);
    expect(await read('unclaimed_files')).toEqual([{ state: 'removed' }]);
    expect(await read('upload_pieces')).toEqual([{ state: 'removed' }]);
    expect(await listRows({ db }, 'personal_info_views', {}, ['submission_id'])).toHaveLength(1);
    await expect(sql`delete from personal_info_views`.execute(db)).rejects.toThrow('stays on record');
    await close();
  });
});

async function countRows({ db }: Database) {
  const { rows } = await sql`select (select count(*) from sounds) as sounds,
    (select count(*) from users) as users, (select count(*) from favorites) as favorites`.execute(db);
  return rows[0];
}
