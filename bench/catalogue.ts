import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { RESULTS_REACHABLE } from '../contract/listing-limits.ts';
import { FACT_FILTERS, FACT_NAMES } from '../contract/sound-facts.ts';
import type { FactName } from '../contract/sound-facts.ts';
import type { SoundQuery } from '../contract/sounds.ts';
import { openDatabase } from '../server/platform/database/database.ts';
import type { Database } from '../server/platform/database/database.ts';
import {
  completeSearch,
  countFacts,
  createSound,
  listSounds,
} from '../server/features/catalogue/catalogue.ts';
import { startPostgres } from '../tests/support/postgres-server.ts';
import { loadCatalogue } from './catalogue-load.ts';
import {
  SUB_GENRES,
  createRandom,
  generateRow,
  toArtistCount,
  toArtistId,
  toArtistName,
} from './catalogue-rows.ts';

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
const LAST_PAGE = RESULTS_REACHABLE / 20;

type MakeQuery = (random: () => number, sounds: number) => SoundQuery;
const pick = <Item>(random: () => number, items: readonly Item[]) =>
  items[Math.floor(random() * items.length)] as Item;
const subGenre = (random: () => number, skew = 1) =>
  String(1 + Math.floor(random() ** skew * SUB_GENRES.length));
const artist = (random: () => number, sounds: number) =>
  toArtistName(Math.floor(random() ** 2 * toArtistCount(sounds)));
const aType = (random: () => number) => pick(random, ['1', '2']);
const fact = (random: () => number, name: FactName) => pick<string>(random, FACT_FILTERS[name].values);
function factOfEach(random: () => number): SoundQuery {
  return Object.fromEntries(FACT_NAMES.map((name) => [name, [fact(random, name)]]));
}
const COMMON = ['ピアノ', '戦闘', '雨', '夜', 'ループ', 'ゲーム', '曲', '静かな', '海', '8bit'];
const READINGS = ['あめ', 'よる', 'うみ', 'まほう', 'せんとう', 'あしおと', 'きょく'];
const ROMAJI = ['ame', 'yoru', 'umi', 'piano', 'mahou', 'neko', 'sentou'];
const SYNONYMS = ['カフェ', 'ホラー', 'かわいい', 'バトル', 'rain', 'night', 'magic'];
const FOUND_EVERYWHERE = ['効果音', 'bgm', '工房', 'ムード', 'の'];
const rareWord = (random: () => number, sounds: number) => {
  for (;;) {
    const { title } = generateRow(1 + Math.floor(random() * sounds), sounds);
    const rare = /[あ-ん]{4}/.exec(title)?.[0];
    if (rare !== undefined) return rare;
  }
};

const CASES: Readonly<Record<string, MakeQuery>> = {
  'list: newest': () => ({}),
  'list: downloads': () => ({ ordering: '-downloads' }),
  'list: favourites': () => ({ ordering: '-favorites' }),
  'list: last page, newest': () => ({ page: LAST_PAGE }),
  'list: last page, downloads': () => ({ page: LAST_PAGE, ordering: '-downloads' }),
  'list: page beyond the last': () => ({ page: 40_000 }),
  'filter: type': (random) => ({ type: aType(random) }),
  'filter: type, downloads': (random) => ({ type: aType(random), ordering: '-downloads' }),
  'filter: artist': (random, sounds) => ({ user: artist(random, sounds) }),
  'filter: artist, downloads': (random, sounds) => ({ user: artist(random, sounds), ordering: '-downloads' }),
  'filter: largest artist, downloads': () => ({ user: toArtistName(0), ordering: '-downloads' }),
  'filter: 1 sub-genre': (random) => ({ sub_genres: [subGenre(random)] }),
  'filter: 1 sub-genre, downloads': (random) => ({ sub_genres: [subGenre(random)], ordering: '-downloads' }),
  'filter: 2 sub-genres': (random) => ({ sub_genres: [subGenre(random), subGenre(random)] }),
  'filter: 2 sub-genres, downloads': (random) => ({
    sub_genres: [subGenre(random), subGenre(random)],
    ordering: '-downloads',
  }),
  'filter: 3 sub-genres, favourites': (random) => ({
    sub_genres: [subGenre(random, 3), subGenre(random, 3), subGenre(random, 3)],
    ordering: '-favorites',
  }),
  'filter: AI': (random) => ({ is_ai_generated: random() < 0.5 }),
  'filter: AI, downloads, last page': (random) => ({
    is_ai_generated: random() < 0.5,
    ordering: '-downloads',
    page: LAST_PAGE,
  }),
  'filter: type, AI, sub-genre, downloads': (random) => ({
    type: aType(random),
    is_ai_generated: false,
    sub_genres: [subGenre(random)],
    ordering: '-downloads',
  }),
  'filter: type, sub-genre, last page': (random) => ({
    type: aType(random),
    sub_genres: [subGenre(random, 2)],
    page: LAST_PAGE,
  }),
  'facts: length': (random) => ({ length: [fact(random, 'length')] }),
  'facts: mood': (random) => ({ mood: [fact(random, 'mood')] }),
  'facts: mood, downloads': (random) => ({ mood: [fact(random, 'mood')], ordering: '-downloads' }),
  'facts: 2 moods, last page': (random) => ({
    mood: [fact(random, 'mood'), fact(random, 'mood')],
    page: LAST_PAGE,
  }),
  'facts: without a mood': (random) => ({ '-mood': [fact(random, 'mood')] }),
  'facts: without a mood, downloads': (random) => ({
    '-mood': [fact(random, 'mood')],
    ordering: '-downloads',
  }),
  'facts: use': (random) => ({ use: [fact(random, 'use')] }),
  'facts: vocals, loopable': (random) => ({ vocals: [fact(random, 'vocals')], loopable: ['yes'] }),
  'facts: Content ID': (random) => ({ content_id: [fact(random, 'content_id')] }),
  'facts: one of each, AI': (random) => ({ ...factOfEach(random), is_ai_generated: false }),
  'facts: one of each, downloads': (random) => ({ ...factOfEach(random), ordering: '-downloads' }),
  'facts: word, mood': (random) => ({ search: pick(random, COMMON), mood: [fact(random, 'mood')] }),
  'facts: word, length, use, without a mood': (random) => ({
    search: pick(random, COMMON),
    length: [fact(random, 'length'), fact(random, 'length')],
    use: [fact(random, 'use')],
    '-mood': [fact(random, 'mood')],
  }),
  'facts: word, one of each': (random) => ({ search: pick(random, COMMON), ...factOfEach(random) }),
  'facts: synonym, one of each': (random) => ({ search: pick(random, SYNONYMS), ...factOfEach(random) }),
  'counts: nothing chosen': () => ({}),
  'counts: type, mood': (random) => ({ type: aType(random), mood: [fact(random, 'mood')] }),
  'counts: one of each': factOfEach,
  'counts: word': (random) => ({ search: pick(random, COMMON) }),
  'counts: word, one of each': (random) => ({ search: pick(random, COMMON), ...factOfEach(random) }),
  'counts: synonym': (random) => ({ search: pick(random, SYNONYMS) }),
  'search: rare word': (random, sounds) => ({ search: rareWord(random, sounds) }),
  'search: nothing found': (random) => ({ search: `鬱${pick(random, ['蒼', '金', '屈'])}` }),
  'search: common word': (random) => ({ search: pick(random, COMMON) }),
  'search: common word, newest': (random) => ({ search: pick(random, COMMON), ordering: '-created' }),
  'search: common word, favourites': (random) => ({ search: pick(random, COMMON), ordering: '-favorites' }),
  'search: common word, last page': (random) => ({ search: pick(random, COMMON), page: LAST_PAGE }),
  'search: found nearly everywhere': (random) => ({ search: pick(random, FOUND_EVERYWHERE) }),
  'search: found nearly everywhere, last page': (random) => ({
    search: pick(random, FOUND_EVERYWHERE),
    page: LAST_PAGE,
  }),
  'search: two common words': (random) => ({ search: `${pick(random, COMMON)} ${pick(random, COMMON)}` }),
  'search: three words': (random) => ({
    search: `${pick(random, COMMON)} ${pick(random, COMMON)} ${pick(random, FOUND_EVERYWHERE)}`,
  }),
  'search: common and rare word': (random, sounds) => ({
    search: `${pick(random, COMMON)} ${rareWord(random, sounds)}`,
  }),
  'search: reading': (random) => ({ search: pick(random, READINGS) }),
  'search: two readings': (random) => ({ search: `${pick(random, READINGS)} ${pick(random, READINGS)}` }),
  'search: reading, last page': (random) => ({ search: pick(random, READINGS), page: LAST_PAGE }),
  'search: romaji': (random) => ({ search: pick(random, ROMAJI) }),
  'search: synonym': (random) => ({ search: pick(random, SYNONYMS) }),
  'search: synonym, downloads': (random) => ({ search: pick(random, SYNONYMS), ordering: '-downloads' }),
  'search: synonym and word': (random) => ({
    search: `${pick(random, SYNONYMS)} ${pick(random, COMMON)} ${pick(random, READINGS)}`,
  }),
  'search: word without another': (random) => ({
    search: `${pick(random, COMMON)} -${pick(random, COMMON)}`,
  }),
  'search: everything without a word': (random) => ({ search: `-${pick(random, COMMON)}` }),
  'search: phrase': (random) => ({ search: `"${pick(random, COMMON)}" "ゲームや動画"` }),
  'search: artist’s name': (random, sounds) => ({ search: artist(random, sounds) }),
  'search: long text': (random, sounds) => ({
    search: generateRow(1 + Math.floor(random() * sounds), sounds).description.slice(0, 60),
  }),
  'search: word, type': (random) => ({ search: pick(random, COMMON), type: aType(random) }),
  'search: word, type, AI, sub-genre': (random) => ({
    search: pick(random, COMMON),
    type: aType(random),
    is_ai_generated: false,
    sub_genres: [subGenre(random)],
  }),
  'search: word, artist': (random, sounds) => ({
    search: pick(random, COMMON),
    user: artist(random, sounds),
  }),
};

/** Texts that are being typed. */
const COMPLETIONS: Readonly<Record<string, (random: () => number, sounds: number) => string>> = {
  'completions: one kana': (random) => pick(random, ['あ', 'よ', 'う', 'ま', 'せ', 'の']),
  'completions: one kanji': (random) => pick(random, COMMON).slice(0, 1),
  'completions: common word': (random) => pick(random, COMMON),
  'completions: reading': (random) => pick(random, READINGS),
  'completions: romaji': (random) => pick(random, ROMAJI).slice(0, 3),
  'completions: found nearly everywhere': (random) => pick(random, FOUND_EVERYWHERE),
  'completions: two words': (random) => `${pick(random, COMMON)} ${pick(random, READINGS)}`,
  'completions: artist’s name': (random, sounds) => artist(random, sounds).slice(0, 4),
  'completions: rare word': (random, sounds) => rareWord(random, sounds),
};

interface Measure {
  readonly p50: number;
  readonly p99: number;
}

async function measure(database: Database, sounds: number, runs: number): Promise<Map<string, Measure>> {
  const measures = new Map<string, Measure>();
  const listings = Object.entries(CASES).map(([name, makeQuery]) => {
    const isCounting = name.startsWith('counts: ');
    const ask = (query: SoundQuery) =>
      isCounting ? countFacts(database, query) : listSounds(database, query, null);
    return { name, makeQuery, ask };
  });
  const completions = Object.entries(COMPLETIONS).map(([name, makeText]) => {
    const makeQuery: MakeQuery = (random, all) => ({ search: makeText(random, all) });
    return { name, makeQuery, ask: ({ search = '' }: SoundQuery) => completeSearch(database, search) };
  });
  for (const { name, makeQuery, ask } of [...listings, ...completions]) {
    if (options.only !== undefined && !name.includes(options.only)) continue;
    const random = createRandom(1);
    const times: number[] = [];
    let slowest = { ms: 0, query: {} };
    for (let run = -WARM_UPS; run < runs; run++) {
      const query = makeQuery(random, sounds);
      const started = performance.now();
      await ask(query);
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
      (await database.db
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
for (const name of Object.keys(CASES)) {
  const cells = columns
    .map(({ measures }) => measures.get(name))
    .map((m) => (m ? `${m.p50.toFixed(2)} / ${m.p99.toFixed(2)}` : '–'));
  console.log(`| ${name} | ${cells.join(' | ')} |`);
}
