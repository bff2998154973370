import { sql } from 'kysely';
import { describe, expect, onTestFinished, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { MIGRATIONS } from '#server/schema/migrations.ts';
import type { Migration } from '#server/platform/database/migrations/migration.ts';
import { openDatabase } from '#server/schema/open.ts';
import { SERVING_LIMITS } from '#server/platform/database/drivers/postgres-pool.ts';
import type { Database, DatabaseLocation } from '#server/platform/database/open.ts';
import { createTestApi } from '#support/http/api.ts';
import { bothDatabases, openLocated } from '#support/databases/databases.ts';
import { addArtist, createVisitor, readEarned } from '#support/sounds/downloads.ts';
import { withClient } from '#support/databases/postgres-server.ts';

/** What a release may do to tables that an earlier one uses. */
const expanding: Migration = {
  name: '9998-expanding',
  async up(db) {
    await sql`alter table sounds add column mood text not null default ''`.execute(db);
    await sql`alter table users add column motto text`.execute(db);
    await sql`create index sounds_mood on sounds (mood)`.execute(db);
    await sql`create table moods (name text primary key)`.execute(db);
    // Requests of the old version arrive meanwhile.
    const until = performance.now() + 400;
    while (performance.now() < until) await sql`select count(*) from sounds`.execute(db);
  },
};

/** One visit of a visitor and a member; returns the statuses of the calls and the longest time of one, in ms. */
async function createJourney(database: Database) {
  const api = createTestApi(database);
  const { artistId, soundId } = await addArtist(database);
  const memberId = await createUser(database, { username: 'member', email: 'member@example.test' });
  const statuses = new Map<number, number>();
  let longestMs = 0;
  async function note(call: () => Promise<{ readonly status: number } | number>) {
    const startMs = performance.now();
    const answer = await call();
    longestMs = Math.max(longestMs, performance.now() - startMs);
    const status = typeof answer === 'number' ? answer : answer.status;
    statuses.set(status, (statuses.get(status) ?? 0) + 1);
  }
  const message = { name: '花子', email: 'hanako@example.test', message: '教えてください。' };
  return {
    artistId,
    readOutcome: () => ({ statuses: [...statuses.keys()], longestMs }),
    countVisits: () => statuses.get(200) ?? 0,
    async visit() {
      await note(() => api.get('/api/sounds/'));
      await note(() => api.get(`/api/sounds/?search=${encodeURIComponent('音')}`));
      await note(() => api.get(`/api/sounds/${soundId}/`, memberId));
      await note(() => api.post(`/api/sounds/${soundId}/toggle-favorite`, {}, memberId));
      await note(() => api.post('/api/contact/', message));
      await note(() => createVisitor(api).download(soundId));
    },
  };
}

/** Visits until `work` has ended, and at least once more. */
async function visitDuring<Result>(visit: () => Promise<void>, work: Promise<Result>): Promise<Result> {
  const state = { isDone: false };
  const ended = work.finally(() => (state.isDone = true));
  while (!state.isDone) await visit();
  await visit();
  return ended;
}

describe.each(bothDatabases)('a rolling upgrade on $name', ({ name, locate }) => {
  async function openOld() {
    const place = await locate();
    return { location: place.location, database: await openLocated(place) };
  }

  const openNew = (location: DatabaseLocation, migrations: readonly Migration[]) =>
    openDatabase(location, { migrations: [...MIGRATIONS, ...migrations] });

  test('the version that runs answers everything while another one migrates, and after', async () => {
    const { location, database } = await openOld();
    const journey = await createJourney(database);
    await journey.visit();
    const before = journey.countVisits();
    const newer = await visitDuring(journey.visit, openNew(location, [expanding]));
    await newer.close();
    expect(journey.readOutcome().statuses).toEqual([200]);
    expect(journey.countVisits()).toBeGreaterThanOrEqual(before + 12);
    expect(await readEarned(database, journey.artistId)).toBeGreaterThan(1);
  });

  test('the version before starts again on the new tables, and says that they are newer', async () => {
    const { location } = await openOld();
    await (await openNew(location, [expanding])).close();
    const warnings: string[] = [];
    const again = await openDatabase(location, { warn: (message) => void warnings.push(message) });
    onTestFinished(() => again.close());
    expect(warnings).toEqual(['the database is newer than this program: it has 9998-expanding']);
    const journey = await createJourney(again);
    await journey.visit();
    expect(journey.readOutcome().statuses).toEqual([200]);
    await (await openDatabase(location, { access: 'read' })).close();
  });

  test('a version from before a removal is refused', async () => {
    const { location } = await openOld();
    const removal = { name: '9999-removal@1.0.0', up: async () => undefined };
    await (await openNew(location, [removal])).close();
    await (await openDatabase(location)).close();
    const later = { name: '9999-removal@99.0.0', up: async () => undefined };
    await (await openNew(location, [removal, later])).close();
    await expect(openDatabase(location)).rejects.toThrow('newer than this program');
    // Neither version comes from the other.
    const ours = { name: '9999-ours', up: async () => undefined };
    await expect(openNew(location, [later, ours])).rejects.toThrow('newer than this program');
  });

  test('a migration that waits for a long transaction does not stop requests', async () => {
    const { location, database } = await openOld();
    const journey = await createJourney(database);
    await journey.visit();
    const ended = Promise.withResolvers<void>();
    const long = holdSounds(location, ended.promise);
    await long.begun;
    const migrating = openNew(location, [expanding]);
    const visiting = (async () => {
      const until = performance.now() + 2_500; // two attempts
      while (performance.now() < until) await journey.visit();
    })();
    await visiting;
    const { rows } = await readColumns(database);
    // Readers do not lock SQLite.
    expect(rows.length > 0).toBe(name === 'sqlite');
    ended.resolve();
    await long.done;
    await (await visitDuring(journey.visit, migrating)).close();
    const { statuses, longestMs } = journey.readOutcome();
    expect(statuses).toEqual([200]);
    expect(longestMs).toBeLessThan(SERVING_LIMITS.lockTimeoutMs / 2);
  });
});

/** A transaction that has read sounds, such as a backup, until `end`. */
function holdSounds(location: DatabaseLocation, end: Promise<void>) {
  const begun = Promise.withResolvers<void>();
  if (location.kind === 'postgres') {
    const done = withClient(location.url, async (client) => {
      await client.query('begin; select count(*) from sounds');
      begun.resolve();
      await end;
    });
    return { begun: begun.promise, done };
  }
  const done = (async () => {
    const other = await openDatabase(location, { access: 'read' });
    await other.db
      .transaction()
      .setAccessMode('read only')
      .execute(async (transaction) => {
        await sql`select count(*) from sounds`.execute(transaction);
        begun.resolve();
        await end;
      });
    await other.close();
  })();
  return { begun: begun.promise, done };
}

function readColumns({ db, dialect }: Database) {
  return dialect === 'postgres'
    ? sql`select 1 from information_schema.columns where table_name = 'sounds' and column_name = 'mood'`.execute(
        db,
      )
    : sql`select 1 from pragma_table_info('sounds') where name = 'mood'`.execute(db);
}
