import { beforeEach, describe, expect, test } from 'vitest';
import type { OwnStatistics } from '#contract/artists/statistics.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';
import { useApi } from '#support/http/use-api.ts';
import { type TestCatalogue, DEFAULT_ARTIST, fillCatalogue } from '#support/sounds/catalogue.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const AGENT = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
/** So many that fewer than five different bits of 31 are as good as impossible. */
const MANY = 60;
const DAY_MS = 86_400_000;

describe.each(bothDatabases)('words on $name', ({ open, rule }) => {
  const { database, api, useStaff } = useApi(open);
  const staffId = useStaff();
  let catalogue: TestCatalogue;
  let artistId = '';

  beforeEach(async () => {
    catalogue = await fillCatalogue(database, [
      { key: 'rain', title: '雨' },
      { key: 'wind', title: '風' },
    ]);
    artistId = catalogue.artistIds.get(DEFAULT_ARTIST) ?? '';
  });

  /** Each network is of a provider of its own, unless one is named. */
  const headers = (network: number, host = 1, provider = network) => ({
    'x-client-address': `${10 + Math.floor(provider / 250)}.${provider % 250}.${network % 250}.${host}`,
    'user-agent': AGENT,
  });
  const find = (search: string, network: number, { key = 'rain', host = 1, provider = network } = {}) =>
    api.post(
      '/api/plays/',
      { plays: [{ sound: catalogue.idOf(key), source: 'search', search }] },
      headers(network, host, provider),
    );
  const miss = (search: string, network: number, { host = 1, provider = network } = {}) =>
    api.post('/api/missed-searches/', { search }, headers(network, host, provider));
  const read = async (span = 'days'): Promise<OwnStatistics['words']> =>
    ((await api.json(`/api/account/statistics/?span=${span}`, artistId)) as OwnStatistics).words;
  const readMissed = async (): Promise<string[]> =>
    ((await api.json('/api/operator/statistics/', staffId)) as { missed: string[] }).missed;

  test('are shown once enough networks have used them, in one spelling', async () => {
    for (let network = 0; network < MANY; network += 1)
      await find(network % 2 ? 'ピアノ　雨' : ' ﾋﾟｱﾉ  雨', network);
    expect(await read()).toEqual([{ word: 'ピアノ 雨', plays: MANY }]);
  });

  test('of four networks are not shown, however often and for however many sounds they are used', async () => {
    for (let day = 0; day < 3; day += 1) {
      for (let network = 0; network < 4; network += 1)
        for (const key of ['rain', 'wind'])
          for (const host of [1, 2]) await find('わたしの名前', network, { key, host });
      api.clock.advance(DAY_MS);
    }
    expect(await read()).toEqual([]);
    expect(
      await everyTable(database.db).selectFrom('found_words').select('is_shown').distinct().execute(),
    ).toEqual([{ is_shown: 0 }]);
  });

  test('without results are shown to the staff by the same rule, without numbers', async () => {
    for (let network = 0; network < MANY; network += 1) await miss('テルミン', network);
    for (let network = 0; network < 4; network += 1) await miss('電話番号', network);
    expect(await readMissed()).toEqual(['テルミン']);
  });

  test('W26: of many networks of two providers are not shown', async () => {
    for (let network = 0; network < MANY; network += 1) {
      await find('わたしの名前', network, { provider: network % 2 });
      await miss('わたしの名前', network, { provider: network % 2 });
    }
    expect([await read(), await readMissed()]).toEqual([[], []]);
  });

  test('W26: that somebody invents do not displace those of many, and stay few', async () => {
    for (let network = 0; network < MANY; network += 1) await find('雨音', network);
    for (let network = 0; network < 20; network += 1)
      for (let host = 1; host <= 10; host += 1) await find(`invented ${network} ${host}`, network, { host });
    const words = await listRows(database, 'found_words', {}, ['word', 'is_shown']);
    expect(words.length).toBeLessThanOrEqual(50);
    expect(words.filter(({ is_shown }) => is_shown === 1)).toEqual([{ word: '雨音', is_shown: 1 }]);
  });

  test('W26: that one customer or provider invents are few, for a sound and without results', async () => {
    const addresses = { sound: 0, missed: 0 };
    for (let index = 0; index < 600; index += 1) {
      const from = { host: 1 + (index % 200), provider: 0 };
      await find(`invented ${index}`, index % 5, from);
      await miss(`invented ${index}`, index % 5, from);
    }
    addresses.sound = (await listRows(database, 'found_words', {}, ['word'])).length;
    addresses.missed = (await listRows(database, 'missed_words', {}, ['word'])).length;
    expect(addresses).toEqual({ sound: 10, missed: 400 });
  });

  test('W26: that are new are shown, though the list is full of invented ones that were used twice', async () => {
    const month = Math.floor(Date.UTC(2026, 0, 1) / DAY_MS);
    await find('雨音', MANY);
    const [row] = await listRows(database, 'found_words');
    const invented = Array.from({ length: 50 }, (_, index) => ({
      ...row!,
      month: row?.month ?? month,
      word: `invented ${index}`,
      uses: 2,
      first_hour: (row?.first_hour ?? 0) - 1,
    }));
    await everyTable(database.db).insertInto('found_words').values(invented).execute();
    for (let network = 0; network < MANY; network += 1) await find('雨の音', network);
    expect(await read()).toEqual([{ word: '雨の音', plays: MANY }]);
  });

  rule('that are too long, or no text, are left out', async () => {
    const long = 'とても長い文章を貼りつけた検索'.repeat(3);
    for (let network = 0; network < MANY; network += 1) await find(network % 2 ? long : '\u200b ', network);
    expect(await listRows(database, 'found_words')).toEqual([]);
  });

  test('that are not shown go with their month and its key, and the others after a year', async () => {
    for (let network = 0; network < MANY; network += 1) await find('雨音', network);
    await find('風音', 1, { key: 'wind' });
    await miss('テルミン', 1);
    const run = async () => api.scheduledJobs.find(({ name }) => name === 'old statistics')?.run();
    const count = async (
      table: 'found_words' | 'missed_words' | 'word_keys' | 'sound_days' | 'sound_months',
    ) =>
      (
        await everyTable(database.db)
          .selectFrom(table)
          .select('month' as never)
          .execute()
      ).length;
    await run();
    expect([await count('found_words'), await count('missed_words'), await count('word_keys')]).toEqual([
      2, 1, 1,
    ]);
    api.clock.advance(31 * DAY_MS);
    await run();
    expect([await count('found_words'), await count('missed_words'), await count('word_keys')]).toEqual([
      1, 0, 0,
    ]);
    expect(await read('year')).toEqual([{ word: '雨音', plays: MANY }]);
    api.clock.advance(400 * DAY_MS);
    await run();
    expect(await count('found_words')).toBe(0);
    expect(await listRows(database, 'sound_days')).toEqual([]);
    expect(await count('sound_months')).toBe(2);
  });
});
