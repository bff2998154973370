/**
 * `npm run bench -- statistics [--database postgres]`: a year of a site with 10,000 sounds. Prints the size of the tables, and how
 * long a transaction of counted plays and an artist’s page take.
 */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { sql } from 'kysely';
import { toDay, toDayStart } from '../contract/values/months.ts';
import { PLAY_SOURCES } from '../contract/sounds/plays.ts';
import { createUser } from '../server/features/accounts/users.ts';
import { createSound } from '../server/features/catalogue/service.ts';
import { createSoundType } from '../server/features/catalogue/genres/service.ts';
import { addPlays, toMonthStart } from '../server/features/statistics/play-queries.ts';
import { readOwnStatistics } from '../server/features/statistics/own-statistics.ts';
import { measureDatabase } from '../server/platform/database/drivers/size.ts';
import { openDatabase } from '../server/schema/open.ts';
import type { Database } from '../server/platform/database/open.ts';
import { startPostgres } from '../tests/support/databases/postgres-server.ts';
import { everyTable } from '../server/platform/database/schema.ts';
import type { Handle } from '../server/platform/database/handle.ts';

const { values } = parseArgs({
  options: {
    sounds: { type: 'string', default: '10000' },
    days: { type: 'string', default: '365' },
    database: { type: 'string', default: 'sqlite' },
  },
});
const SOUNDS = Number(values.sounds);
const DAYS = Number(values.days);
/** Of one artist: the most that the host accepts, and what is usual. */
const ARTISTS = { busiest: 2_000, usual: 50 };
const nowMs = Date.now();
const today = toDay(nowMs);

const folder = await mkdtemp(join(tmpdir(), 'statistics-'));
const server = values.database === 'postgres' ? await startPostgres() : undefined;
const database = await openDatabase(
  server === undefined
    ? { kind: 'sqlite', file: join(folder, 'db.sqlite') }
    : { kind: 'postgres', url: server.adminUrl },
);
try {
  const artists = await makeSounds(database);
  const before = await measureDatabase(database);
  const flushes = await playForAYear(database);
  console.log(`rows: ${await count('sound_days')} days, ${await count('sound_months')} months`);
  console.log(`size: ${((await measureDatabase(database)) - before) / 1e6} MB`);
  console.log(
    `a day's plays in one transaction: p50 ${quantile(flushes, 0.5)} ms, max ${quantile(flushes, 1)} ms`,
  );
  for (const [name, artistId] of Object.entries(artists))
    for (const span of ['days', 'year'] as const) {
      const times: number[] = [];
      for (let run = 0; run < 9; run += 1)
        times.push(await measure(() => readOwnStatistics(database, artistId, { span, soundId: '' }, nowMs)));
      console.log(`${name} artist, ${span}: p50 ${quantile(times, 0.5)} ms, max ${quantile(times, 1)} ms`);
    }
} finally {
  await database.close();
  await server?.stop();
  await rm(folder, { recursive: true });
}

async function makeSounds(place: Database): Promise<Record<keyof typeof ARTISTS, string>> {
  const type_id = await createSoundType(place, { name: `bench ${nowMs}` });
  const add = (username: string) => createUser(place, { username, email: `${username}@example.test` });
  const ids = { busiest: await add('busiest'), usual: await add('usual') };
  const other = await add('other');
  for (let index = 0; index < SOUNDS; index += 1) {
    const artist_id =
      index < ARTISTS.busiest ? ids.busiest : index < ARTISTS.busiest + ARTISTS.usual ? ids.usual : other;
    const file = {
      filename: 'a.mp3',
      audio_key: `${index}`,
      audio_mime: 'audio/mpeg',
      audio_size: 1,
      duration_ms: 1,
      peaks: '0',
    };
    await createSound(place, { ...file, artist_id, type_id, title: `${index}`, created_at: nowMs });
  }
  return ids;
}

/** Each day, a sound is played with a chance that falls with its rank: about a third of all sound days have a row. */
async function playForAYear(place: Database): Promise<number[]> {
  const seqs = (await everyTable(place.db).selectFrom('sounds').select('seq').orderBy('seq').execute()).map(
    ({ seq }) => seq,
  );
  const times: number[] = [];
  for (let age = DAYS - 1; age >= 0; age -= 1) {
    const day = today - age;
    const rows = seqs.flatMap((sound_seq, rank) => {
      if ((rank * 7_919 + day * 104_729) % 1_000 > 1_000 / (1 + (rank % 100) / 20)) return [];
      const plays = PLAY_SOURCES.map((_, at) => ((rank + day + at) % 3 === 0 ? 1 + (day % 5) : 0));
      return [
        { sound_seq, day, month: toMonthStart(toDayStart(day)), plays, downloads: rank % 4 === 0 ? 1 : 0 },
      ];
    });
    times.push(
      await measure(() =>
        place.db.transaction().execute((transaction: Handle) => addPlays(transaction, rows)),
      ),
    );
  }
  return times;
}

async function count(table: 'sound_days' | 'sound_months'): Promise<number> {
  const { rows } = await sql<{ n: number }>`select count(*) as n from ${sql.table(table)}`.execute(
    database.db,
  );
  return Number(rows[0]?.n);
}

async function measure(work: () => Promise<unknown>): Promise<number> {
  const startMs = performance.now();
  await work();
  return performance.now() - startMs;
}

function quantile(times: readonly number[], share: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return Math.round(sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0);
}
