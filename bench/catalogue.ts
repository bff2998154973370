import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { openDatabase } from '../server/schema/open.ts';
import type { Database } from '../server/platform/database/open.ts';
import { createSound } from '../server/features/catalogue/service.ts';
import { startPostgres } from '../tests/support/databases/postgres-server.ts';
import { CASES } from './catalogue-cases.ts';
import { loadCatalogue } from './catalogue-load.ts';
import { createRandom, generateRow, toArtistId } from './catalogue-rows.ts';
import { everyTable } from '../server/platform/database/schema.ts';

/**
 * Measures listing and searching with many sounds, on both databases:
 * `node bench/catalogue.ts --sounds 100000,1000000 --database both`. Prints a Markdown table.
 */
const { values: options } = parseArgs({
  options: {
    sounds: { type: 'string', default: '100000,1000000' },
    database: { type: 'string', default: 'both' },
    /** Uploads made individually after the bulk load, so that the index is not freshly sorted. */
    uploads: { type: 'string', default: '500' },
    runs: { type: 'string', default: '200' },
    /** A folder that keeps the databases for another run; a temporary one is removed. */
    keep: { type: 'string' },
    /** Runs only cases whose name contains this. */
    only: { type: 'string' },
  },
});
const RUNS = Number(options.runs);
const WARM_UPS = 20;

interface Measure {
  readonly p50: number;
  readonly p99: number;
}

async function measure(database: Database, sounds: number, runs: number): Promise<Map<string, Measure>> {
  const measures = new Map<string, Measure>();
  for (const { name, makeQuery, ask } of CASES) {
    if (options.only !== undefined && !name.includes(options.only)) continue;
    const random = createRandom(1);
    const times: number[] = [];
    let slowest = { ms: 0, query: {} };
    for (let run = -WARM_UPS; run < runs; run++) {
      const query = makeQuery(random, sounds);
      const started = performance.now();
      await ask(database, query);
      const ms = performance.now() - started;
      if (run >= 0) times.push(ms);
      if (run >= 0 && ms > slowest.ms) slowest = { ms, query };
    }
    times.sort((a, b) => a - b);
    const at = (share: number) =>
      times[Math.min(times.length - 1, Math.floor(times.length * share))] ?? Number.NaN;
    measures.set(name, { p50: at(0.5), p99: at(0.99) });
    console.error(
      `${database.dialect} ${sounds} ${name}: ${at(0.5).toFixed(2)} / ${at(0.99).toFixed(2)} ms; slowest ${slowest.ms.toFixed(1)} ${JSON.stringify(slowest.query)}`,
    );
  }
  return measures;
}

async function uploadOneByOne(database: Database, sounds: number, uploads: number): Promise<void> {
  const started = performance.now();
  for (let index = 1; index <= uploads; index++) {
    const row = generateRow(sounds + index, sounds);
    await createSound(database, {
      artist_id: toArtistId(row.artistIndex),
      type_id: row.typeId,
      title: row.title,
      description: row.description,
      filename: 'x.mp3',
      audio_key: 'x',
      audio_mime: 'audio/mpeg',
      audio_size: 1,
      is_ai_generated: row.isAiGenerated,
      sub_genre_ids: row.subGenreIds,
      download_count: row.downloadCount,
      favorite_count: row.favoriteCount,
    });
  }
  if (uploads > 0)
    console.error(
      `${database.dialect} ${sounds}: ${((performance.now() - started) / uploads).toFixed(2)} ms an upload’s rows`,
    );
}

async function benchSqlite(sounds: number): Promise<Map<string, Measure>> {
  const folder = options.keep ?? mkdtempSync(join(tmpdir(), 'otoichi-bench-'));
  try {
    return await benchOn(
      await openDatabase({ kind: 'sqlite', file: join(folder, `bench-${sounds}.sqlite`) }),
      sounds,
    );
  } finally {
    if (options.keep === undefined) rmSync(folder, { recursive: true, force: true });
  }
}

async function benchPostgres(sounds: number): Promise<Map<string, Measure>> {
  const server = await startPostgres({
    settings: ['shared_buffers=4GB', 'effective_cache_size=8GB', 'max_wal_size=8GB'],
    keep: options.keep && join(options.keep, `postgres-${sounds}`),
  });
  try {
    return await benchOn(await openDatabase({ kind: 'postgres', url: server.adminUrl }), sounds);
  } finally {
    await server.stop();
  }
}

async function benchOn(database: Database, sounds: number): Promise<Map<string, Measure>> {
  try {
    const { seq } =
      (await everyTable(database.db)
        .selectFrom('sounds')
        .select((eb) => eb.fn.max('seq').as('seq'))
        .executeTakeFirst()) ?? {};
    if (seq === null || seq === undefined) {
      const started = performance.now();
      await loadCatalogue(database, sounds);
      console.error(
        `${database.dialect}: ${sounds} sounds made in ${((performance.now() - started) / 1000).toFixed(0)} s`,
      );
      await uploadOneByOne(database, sounds, Number(options.uploads));
    }
    // A warm-up run: a server that has just started reads everything for the first time.
    await measure(database, sounds, Math.min(40, RUNS));
    return await measure(database, sounds, RUNS);
  } finally {
    await database.close();
  }
}

const columns: { title: string; measures: Map<string, Measure> }[] = [];
for (const kind of options.database === 'both' ? ['sqlite', 'postgres'] : [options.database]) {
  for (const sounds of options.sounds.split(',').map(Number)) {
    const measures = kind === 'sqlite' ? await benchSqlite(sounds) : await benchPostgres(sounds);
    columns.push({ title: `${kind} ${sounds.toLocaleString('en')}`, measures });
  }
}
console.log(`| ms, p50 / p99 | ${columns.map((column) => column.title).join(' | ')} |`);
console.log(`|---|${columns.map(() => '---:|').join('')}`);
for (const { name } of CASES) {
  const cells = columns
    .map(({ measures }) => measures.get(name))
    .map((m) => (m ? `${m.p50.toFixed(2)} / ${m.p99.toFixed(2)}` : '–'));
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
