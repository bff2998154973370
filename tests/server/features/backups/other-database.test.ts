import { join } from 'node:path';
import { sql } from 'kysely';
import { expect, onTestFinished, test } from 'vitest';
import { FILE_OWNERS } from '#server/features.ts';
import { createBackup } from '#server/features/backups/create.ts';
import { restoreBackup } from '#server/features/backups/restore.ts';
import { verifyBackup } from '#server/features/backups/verify.ts';
import { compareSearchIndex } from '#server/features/catalogue/search/comparing.ts';
import { pronounceSounds } from '#server/features/catalogue/search/pronouncing.ts';
import { verifyLedger } from '#server/features/ledger/verify.ts';
import { openDatabase } from '#server/schema/open.ts';
import type { Database, DatabaseLocation } from '#server/platform/database/open.ts';
import { createLog } from '#server/platform/log.ts';
import { expectRulesInForce, makeEmptyPlace, makeSite, readRows } from '#support/processes/backups.ts';
import { bothDatabases, deleteRows, insertMany } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const MESSAGES = 1_201;
const [sqlite, postgres] = bothDatabases;
if (sqlite === undefined || postgres === undefined) throw new Error('two databases are needed');

/** Every row as text, whatever the order of its columns, without what each kind keeps in another form. */
async function readComparable(location: DatabaseLocation, scratch: string) {
  const {
    sound_search: _,
    unpronounced_sounds: __,
    rate_limits: ___,
    ...tables
  } = await readRows(location, scratch);
  return Object.fromEntries(
    Object.entries(tables).map(([table, text]) => [
      table,
      text
        .split('\n')
        .map((line) =>
          line === ''
            ? ''
            : Object.entries(JSON.parse(line) as object)
                .toSorted()
                .join(),
        )
        .toSorted(),
    ]),
  );
}

async function addType({ db }: Database): Promise<number> {
  const row = everyTable(db).insertInto('sound_types').values({ name: 'another' }).returning('id');
  return (await row.executeTakeFirstOrThrow()).id;
}

test.each([
  { from: sqlite, to: postgres },
  { from: postgres, to: sqlite },
])(
  'a backup of $from.name is restored into $to.name and back, row by row',
  { timeout: 60_000 },
  async ({ from, to }) => {
    const { site, folder, members, database } = await makeSite(from);
    const { artistId } = await members.act();
    await members.act();
    const messages = Array.from({ length: MESSAGES }, (_, index) => ({
      id: `message ${index}`,
      name: '名前 "\\',
      email: '',
      message: `本文\n${index}`,
      user_id: artistId,
      created_at: index,
    }));
    await insertMany(database, 'contact_messages', messages);
    // The number of a deleted row is not given again.
    await deleteRows(database, 'sound_types', { id: await addType(database) });
    // SQLite has no such table.
    if (from.name === 'postgres')
      await sql`insert into rate_limits (key, points, expire) values ('a', 1, 1)`.execute(database.db);
    const rows = await readComparable(site.database, folder);
    const { path } = await createBackup(site, join(folder, 'a.tar'), { withKeys: false });

    expect(await verifyBackup(path, FILE_OWNERS)).toMatchObject({ faults: [] });

    const { place } = await makeEmptyPlace(to);
    await restoreBackup(place, path);
    expect(await readComparable(place.database, folder)).toEqual(rows);
    const back = await createBackup({ ...site, ...place }, join(folder, 'b.tar'), { withKeys: false });

    const restored = await openDatabase(place.database);
    onTestFinished(() => restored.close());
    expect(await verifyLedger(restored.db)).toEqual([]);
    await expectRulesInForce(restored);
    expect(await addType(restored)).toBe(await addType(database));
    const logger = createLog('silent', { write: () => undefined });
    await pronounceSounds({ database: restored, logger, catalogueChanged: () => undefined });
    expect(await Array.fromAsync(compareSearchIndex(restored))).toEqual([]);

    const { place: again } = await makeEmptyPlace(from);
    await restoreBackup(again, back.path);
    expect(await readComparable(again.database, folder)).toEqual(rows);
  },
);
