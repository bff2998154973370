import { beforeEach, describe, expect, test } from 'vitest';
import { toDay } from '#contract/values/months.ts';
import { type OwnStatistics, type Play, PLAYS_MAX } from '#contract/artists/statistics.ts';
import { toMonthStart } from '#server/features/statistics/play-queries.ts';
import { bothDatabases, deleteRows, listRows } from '#support/databases/databases.ts';
import { useApi } from '#support/http/use-api.ts';
import { type TestCatalogue, DEFAULT_ARTIST, fillCatalogue } from '#support/sounds/catalogue.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const BROWSER = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 Chrome/140.0.0.0 Safari/537.36';
const DAY_MS = 86_400_000;

describe.each(bothDatabases)('plays on $name', ({ open, rule }) => {
  const { database, api, useMember } = useApi(open);
  const memberId = useMember();
  let catalogue: TestCatalogue;
  let artistId = '';

  beforeEach(async () => {
    catalogue = await fillCatalogue(database, [
      { key: 'rain', title: '雨' },
      { key: 'wind', title: '風' },
      { key: 'hidden', title: '秘密', isPublished: false },
      { key: 'foreign', title: '人の曲', artist: 'another' },
    ]);
    artistId = catalogue.artistIds.get(DEFAULT_ARTIST) ?? '';
  });

  async function send(
    plays: readonly (Omit<Play, 'source'> & { source?: Play['source'] })[],
    { address = '203.0.113.1', agent = BROWSER, as }: { address?: string; agent?: string; as?: string } = {},
  ): Promise<number> {
    const headers = {
      'x-client-address': address,
      'user-agent': agent,
      ...(as !== undefined && { authorization: `Bearer ${await api.logIn(as)}` }),
    };
    const body = { plays: plays.map((play) => ({ source: 'list', ...play })) };
    return (await api.post('/api/plays/', body, headers)).status;
  }
  const play = (key: string, options?: Parameters<typeof send>[1]) =>
    send([{ sound: catalogue.idOf(key) }], options);
  const read = (query = '', as = artistId): Promise<OwnStatistics> =>
    api.json(`/api/account/statistics/${query}`, as);
  const sum = ({ parts }: OwnStatistics) => parts.reduce((total, { plays }) => total + plays, 0);

  test('are added up by day, source and sound, and shown to their artist alone', async () => {
    await send([
      { sound: catalogue.idOf('rain'), source: 'search', search: '雨' },
      { sound: catalogue.idOf('wind'), source: 'similar' },
      { sound: catalogue.idOf('foreign'), source: 'feed' },
    ]);
    await play('rain', { address: '203.0.114.1' });
    api.clock.advance(DAY_MS);
    await play('rain', { address: '203.0.114.1' });
    const statistics = await read();
    expect(statistics.unit).toBe('day');
    expect(statistics.parts).toHaveLength(30);
    expect(statistics.parts.slice(-2).map(({ plays }) => plays)).toEqual([3, 1]);
    expect(statistics.sources).toEqual([
      { source: 'list', plays: 2 },
      { source: 'search', plays: 1 },
      { source: 'similar', plays: 1 },
    ]);
    expect(statistics.sounds.map(({ title, plays }) => [title, plays])).toEqual([
      ['雨', 3],
      ['風', 1],
    ]);
    const ofWind = await read(`?span=year&sound=${catalogue.idOf('wind')}`);
    expect(ofWind.parts).toHaveLength(12);
    expect([sum(ofWind), sum(await read('?span=year'))]).toEqual([1, 4]);
    expect(sum(await read('', memberId))).toBe(0);
    expect(sum(await read('?span=2026-04'))).toBe(4);
  });

  test('W26: of one address count once a day for a sound, and those of one network 20 times', async () => {
    for (let time = 0; time < 3; time += 1) await play('rain');
    expect(sum(await read())).toBe(1);
    for (let host = 1; host < 30; host += 1) await play('rain', { address: `203.0.113.${host}` });
    expect(sum(await read())).toBe(20);
    api.clock.advance(DAY_MS);
    await play('rain');
    expect(sum(await read())).toBe(21);
  });

  test('of robots, of the artist, of unknown and of hidden sounds are not counted, and answered alike', async () => {
    const agents = ['', 'Mozilla/5.0 (compatible; Googlebot/2.1)', 'curl/8.5', 'HeadlessChrome/140'];
    const statuses = [
      ...(await Promise.all(agents.map((agent, at) => play('rain', { agent, address: `198.51.${at}.1` })))),
      await play('rain', { as: artistId, address: '198.51.9.1' }),
      await play('hidden'),
      await send([{ sound: 'noSuchSoundAtAll' }, { sound: '%00' }]),
    ];
    expect(new Set(statuses)).toEqual(new Set([200]));
    expect(sum(await read())).toBe(0);
    await play('rain', { as: memberId, address: '198.51.9.2' });
    await play('rain', { agent: `${BROWSER} CUBOT X18`, address: '198.52.9.1' });
    expect(sum(await read())).toBe(2);
  });

  test('leave nothing of the visitor in the database', async () => {
    await send([{ sound: catalogue.idOf('rain'), source: 'search', search: '雨' }], {
      address: '203.0.113.77',
    });
    const [day] = await listRows(database, 'sound_days');
    expect(day).toEqual({
      sound_seq: expect.any(Number),
      day: toDay(api.clock.now()),
      from_list: 0,
      from_search: 1,
      from_similar: 0,
      from_artist: 0,
      from_sound: 0,
      from_embed: 0,
      from_feed: 0,
      from_elsewhere: 0,
      downloads: 0,
    });
    const words = await listRows(database, 'found_words');
    expect(words).toEqual([
      {
        sound_seq: expect.any(Number) as number,
        month: toMonthStart(api.clock.now()),
        word: '雨',
        networks: expect.any(Number) as number,
        providers: expect.any(Number) as number,
        is_shown: 0,
        uses: 1,
        first_hour: Math.floor(api.clock.now() / 3_600_000),
      },
    ]);
    for (const { networks, providers } of words)
      expect([Math.log2(networks) % 1, Math.log2(providers) % 1]).toEqual([0, 0]);
  });

  test('go with their sound', async () => {
    await send([{ sound: catalogue.idOf('rain'), source: 'search', search: '雨' }]);
    await deleteRows(database, 'sounds', { id: catalogue.idOf('rain') });
    for (const table of ['sound_days', 'sound_months', 'found_words'] as const)
      expect(await everyTable(database.db).selectFrom(table).selectAll().execute()).toEqual([]);
  });

  rule('too many in a call, unknown sources and long searches are refused with their field', async () => {
    const sound = catalogue.idOf('rain');
    for (const plays of [
      Array.from({ length: PLAYS_MAX + 1 }, () => ({ sound, source: 'list' })),
      [{ sound, source: 'dream' }],
      [{ sound, source: 'search', search: 'あ'.repeat(101) }],
    ]) {
      const response = await api.post('/api/plays/', { plays });
      expect(response.status).toBe(400);
      expect(Object.keys((await response.json()) as object)).not.toEqual([]);
    }
    for (const [query, status] of [
      ['?span=decade', 400],
      ['?span=2020-01', 400],
      ['?span=2026-05', 400],
      [`?sound=${catalogue.idOf('foreign')}`, 404],
      ['?sound=%25', 404],
    ] as const)
      expect((await api.get(`/api/account/statistics/${query}`, artistId)).status, query).toBe(status);
  });
});
