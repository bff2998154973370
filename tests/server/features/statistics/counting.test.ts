import { describe, expect, test } from 'vitest';
import { type Counted, createCounter } from '#server/features/statistics/counter.ts';
import { createBackgroundJobs } from '#server/platform/concurrency/background-jobs.ts';
import type { Database } from '#server/platform/database/open.ts';
import { depth } from '#support/depth.ts';
import { bothDatabases, listRows, openLocated } from '#support/databases/databases.ts';
import { useApi } from '#support/http/use-api.ts';
import { addSoundOf } from '#support/sounds/downloads.ts';
import { addPayee } from '#support/members/payouts.ts';
import { startDoomed } from '#support/processes/doomed.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const LOOP = new URL('./loop.ts', import.meta.url);
const ROUNDS = depth(2, 20);

const toPlay = (soundId: string, network = 'a', word = ''): Counted => ({
  soundId,
  source: 'search',
  word,
  origin: { network, provider: network },
  memberId: null,
  atMs: Date.UTC(2026, 3, 1),
});

async function readPlays({ db }: Database): Promise<[days: number, months: number, uses: number]> {
  const read = async (table: 'sound_days' | 'sound_months' | 'found_words', column: 'from_search' | 'uses') =>
    Number(
      (
        await everyTable(db)
          .selectFrom(table)
          .select(({ fn }) => fn.sum<number>(column as never).as('sum'))
          .executeTakeFirstOrThrow()
      ).sum ?? 0,
    );
  return [
    await read('sound_days', 'from_search'),
    await read('sound_months', 'from_search'),
    await read('found_words', 'uses'),
  ];
}

describe.each(bothDatabases)('counting on $name', ({ open, locate }) => {
  const { database, api } = useApi(open);

  test('waits seconds, not longer, and stores what waits when the process ends', async () => {
    const soundId = await addSoundOf(database, await addPayee(database, 'artist'));
    const delays: (number | undefined)[] = [];
    const jobs = createBackgroundJobs();
    const backgroundJobs: typeof jobs = {
      ...jobs,
      start(work, delayMs) {
        delays.push(delayMs);
        jobs.start(work, delayMs);
      },
    };
    const count = createCounter({ ...api.deps, backgroundJobs });
    for (let time = 0; time < 50; time += 1) count(toPlay(soundId, `${time}`, '雨'));
    expect(await readPlays(database)).toEqual([0, 0, 0]);
    expect(delays).toEqual([3_000]);
    await jobs.close();
    expect(await readPlays(database)).toEqual([50, 50, 50]);
  });

  test('has a bound for what waits, and for the words of one transaction', async () => {
    const soundId = await addSoundOf(database, await addPayee(database, 'artist'));
    const backgroundJobs = createBackgroundJobs();
    const count = createCounter({ ...api.deps, backgroundJobs });
    for (let time = 0; time < 6_000; time += 1) count(toPlay(soundId, 'a', `word ${time % 600}`));
    await backgroundJobs.close();
    const [plays, months, uses] = await readPlays(database);
    expect([plays, months]).toEqual([5_000, 5_000]);
    expect(uses).toBeLessThanOrEqual(500);
    expect(await listRows(database, 'found_words', {}, ['word'])).toHaveLength(50);
  });

  test('of several processes at once adds up', async () => {
    const artistId = await addPayee(database, 'artist');
    const ids = [];
    for (let at = 0; at < 20; at += 1) ids.push(await addSoundOf(database, artistId));
    const flushes: (() => Promise<void>)[] = [];
    for (let process = 0; process < 4; process += 1) {
      const backgroundJobs = createBackgroundJobs();
      const count = createCounter({ ...api.deps, backgroundJobs });
      const order = process % 2 ? ids : ids.toReversed();
      for (const id of order) count(toPlay(id, `${process}`, '雨'));
      flushes.push(() => backgroundJobs.close());
    }
    await Promise.all(flushes.map((flush) => flush()));
    expect(await readPlays(database)).toEqual([80, 80, 80]);
    expect(api.logged).toEqual([]);
  });

  test('tries again what a busy database did not take, and drops what it refuses', async () => {
    const soundId = await addSoundOf(database, await addPayee(database, 'artist'));
    let failure: Error | undefined = Object.assign(new Error('busy'), { code: '55P03' });
    const db = {
      transaction() {
        if (failure !== undefined) throw failure;
        return database.db.transaction();
      },
    } as Database['db'];
    const work: (() => Promise<void>)[] = [];
    const backgroundJobs = {
      ...createBackgroundJobs(),
      start: (flush: (ending: AbortSignal) => Promise<void>) =>
        void work.push(() => flush(new AbortController().signal)),
    };
    const count = createCounter({ ...api.deps, database: { db } as Database, backgroundJobs });
    const flush = async () => {
      for (const run of work.splice(0)) await run();
    };
    count(toPlay(soundId));
    await flush();
    failure = undefined;
    count(toPlay(soundId));
    await flush();
    expect((await readPlays(database))[0]).toBe(2);
    failure = new Error('refused');
    count(toPlay(soundId));
    await flush();
    failure = undefined;
    count(toPlay(soundId));
    await flush();
    expect((await readPlays(database))[0]).toBe(3);
  });

  test(
    'a process that is killed has counted in days, months and words, or in none of them',
    { timeout: 120_000 },
    async () => {
      const place = await locate();
      const located = await openLocated(place);
      const soundId = await addSoundOf(located, await addPayee(located, 'artist'));
      let counted = 0;
      for (let round = 0; round < ROUNDS; round += 1) {
        const { hear, kill } = startDoomed(LOOP, [JSON.stringify(place.location), soundId, round]);
        for (let heard = 0; heard <= round % 4; heard += 1) {
          await hear();
          counted += 1;
        }
        await kill(8);
        const [days, months, uses] = await readPlays(located);
        expect([months, uses]).toEqual([days, days]);
        // Each step that was heard of is stored, and at most what the process did before it was killed.
        expect(days).toBeGreaterThanOrEqual(counted);
      }
    },
  );
});
