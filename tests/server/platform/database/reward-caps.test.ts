import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { rewardCaps } from '#server/platform/database/migrations/0026-reward-caps.ts';
import { readArtistDays } from '#server/features/downloads/counts.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { addPayee } from '#support/members/finance.ts';

const DAY_MS = 86_400_000;

describe.each(bothDatabases)('migration 0026 on $name', ({ open }) => {
  test('computes the usual day of artists from the credits of 90 days', async () => {
    const database = await open();
    onTestFinished(() => database.close());
    const { db } = database;
    const nowMs = Date.now();
    const artistId = await addPayee(database, 'artist');
    await sql`alter table download_counts drop column approved`.execute(db);
    for (let index = 0; index < 120; index += 1) {
      await db
        .insertInto('download_credits')
        .values({
          id: `c${index}`,
          intent_id: `i${index}`,
          sound_id: 's',
          artist_id: artistId,
          visitor: null,
          user_id: null,
          network: null,
          is_counted: 1,
          yen: 1,
          state: index % 2 === 0 ? 'credited' : 'refused',
          reason: '',
          created_at: nowMs - (1 + Math.floor(index / 2)) * DAY_MS,
          decided_at: index === 2 ? nowMs : null,
          decided_by: index === 2 ? artistId : null,
        })
        .execute();
    }
    await db.transaction().execute((transaction) => rewardCaps.up(transaction as never, database.dialect));
    expect(await readArtistDays(db, artistId, nowMs)).toEqual({ usual: 1, approvedMax: 1 });
    expect(await readArtistDays(db, artistId, nowMs + 45 * DAY_MS)).toMatchObject({
      usual: 0,
    });
  });
});
