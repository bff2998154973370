import { beforeEach, describe, expect, test } from 'vitest';
import { toDay, toDayStart } from '#contract/values/months.ts';
import type { OwnStatistics } from '#contract/artists/statistics.ts';
import { bothDatabases, updateRows } from '#support/databases/databases.ts';
import { useApi } from '#support/http/use-api.ts';
import { type TestCatalogue, DEFAULT_ARTIST, fillCatalogue } from '#support/sounds/catalogue.ts';
import { createVisitor } from '#support/sounds/downloads.ts';
import { addUse } from '#support/members/uses.ts';
import { reverseCredit } from '#server/features/downloads/credit-reversal.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const DAY_MS = 86_400_000;

describe.each(bothDatabases)('figures of an artist on $name', ({ open, rule }) => {
  const { database, api, useMember, useStaff } = useApi(open);
  const memberId = useMember();
  const staffId = useStaff();
  let catalogue: TestCatalogue;
  let artistId = '';

  beforeEach(async () => {
    catalogue = await fillCatalogue(database, [
      { key: 'rain', title: '雨' },
      { key: 'wind', title: '風' },
      { key: 'foreign', title: '人の曲', artist: 'another' },
    ]);
    artistId = catalogue.artistIds.get(DEFAULT_ARTIST) ?? '';
  });

  const download = async (key: string) => {
    const visitor = createVisitor(api);
    expect(await visitor.download(catalogue.idOf(key))).toBe(200);
    return visitor;
  };
  const read = (query = ''): Promise<OwnStatistics> => api.json(`/api/account/statistics/${query}`, artistId);
  const sum = (
    { parts }: OwnStatistics,
    name: 'downloads' | 'favorites' | 'certificates' | 'uses' | 'reward',
  ) => parts.reduce((total, part) => total + (part[name] ?? 0), 0);

  test('agree with the ledger, the public counts and the certificates, also after a reversal', async () => {
    const visitor = await download('rain');
    await download('rain');
    await download('wind');
    await download('foreign');
    // A second download of one browser: neither a new count nor a new certificate.
    await visitor.download(catalogue.idOf('rain'));
    for (const key of ['rain', 'foreign'])
      await api.post(`/api/sounds/${catalogue.idOf(key)}/toggle-favorite`, {}, memberId);
    const statistics = await read();
    expect(statistics.parts.at(-1)).toMatchObject({ downloads: 3, favorites: 1, certificates: 3, reward: 3 });
    expect(statistics.sounds).toEqual([
      {
        sound_id: catalogue.idOf('rain'),
        title: '雨',
        plays: 0,
        downloads: 2,
        favorites: 1,
        certificates: 2,
        uses: 0,
      },
      {
        sound_id: catalogue.idOf('wind'),
        title: '風',
        plays: 0,
        downloads: 1,
        favorites: 0,
        certificates: 1,
        uses: 0,
      },
    ]);
    const { reward, downloads } = await api.json('/api/finance/statements/2026-04/', artistId);
    expect([sum(statistics, 'reward'), sum(statistics, 'downloads')]).toEqual([reward, downloads]);
    const counts = await everyTable(database.db)
      .selectFrom('sounds')
      .select(['title', 'download_count', 'favorite_count'])
      .where('artist_id', '=', artistId)
      .orderBy('seq')
      .execute();
    expect(counts.map((row) => [row.download_count, row.favorite_count])).toEqual([
      [2, 1],
      [1, 0],
    ]);

    const credit = await everyTable(database.db)
      .selectFrom('download_credits')
      .select('id')
      .where('artist_id', '=', artistId)
      .executeTakeFirstOrThrow();
    await reverseCredit(api.deps, credit.id, staffId, 'fraud');
    await api.post(`/api/sounds/${catalogue.idOf('rain')}/toggle-favorite`, {}, memberId);
    const after = await read();
    expect([sum(after, 'reward'), sum(after, 'downloads'), sum(after, 'favorites')]).toEqual([2, 3, 0]);
    expect((await api.json('/api/finance/statements/2026-04/', artistId)).reward).toBe(2);
  });

  test('count uses that the artist has confirmed, by the day of Japan on which somebody told of them', async () => {
    const today = toDayStart(toDay(api.clock.now()));
    for (const [key, state, atMs] of [
      ['rain', 'confirmed', today],
      ['rain', 'confirmed', today - 1],
      ['rain', 'waiting', today],
      ['wind', 'hidden', today],
      ['wind', 'reported', today],
      ['wind', 'confirmed', today],
      ['foreign', 'confirmed', today],
    ] as const)
      await addUse(database, catalogue.idOf(key), { state, atMs });
    const { parts, sounds } = await read();
    expect(parts.slice(-3).map(({ uses }) => uses)).toEqual([0, 1, 2]);
    expect(sounds.map(({ title, uses }) => [title, uses])).toEqual(
      expect.arrayContaining([
        ['雨', 2],
        ['風', 1],
      ]),
    );
    const ofRain = await read(`?sound=${catalogue.idOf('rain')}`);
    expect(sum(ofRain, 'uses')).toBe(2);
  });

  test('of one sound leave out the others and yen, and those of a deleted one stay without a title', async () => {
    await download('rain');
    await download('rain');
    await download('wind');
    const ofRain = await read(`?sound=${catalogue.idOf('rain')}`);
    expect([sum(ofRain, 'downloads'), sum(ofRain, 'certificates'), ofRain.before.reward]).toEqual([
      2,
      2,
      null,
    ]);
    expect(ofRain.sounds).toHaveLength(1);
    await updateRows(
      database,
      'sounds',
      { deleted_at: api.clock.now(), is_published: 0 },
      { id: catalogue.idOf('wind') },
    );
    const all = await read('?span=year');
    expect(sum(all, 'downloads')).toBe(3);
    expect(all.sounds.map(({ title, downloads }) => [title, downloads])).toEqual([
      ['雨', 2],
      [null, 1],
    ]);
  });

  rule('are compared with as many days before, and a finished month with the whole one before', async () => {
    await download('rain');
    api.clock.advance(30 * DAY_MS);
    await download('wind');
    const days = await read();
    expect([sum(days, 'downloads'), days.before.downloads]).toEqual([1, 1]);
    expect(days.parts.map(({ starts_on }) => starts_on).slice(-1)).toEqual(['2026-05-01']);
    expect([days.before.starts_on, days.before.ends_on]).toEqual(['2026-03-03', '2026-04-01']);
    const may = await read('?span=2026-05');
    expect(may.parts.map(({ starts_on, downloads }) => [starts_on, downloads])).toEqual([['2026-05-01', 1]]);
    // As many days of April.
    expect([may.before.starts_on, may.before.ends_on, may.before.downloads]).toEqual([
      '2026-04-01',
      '2026-04-01',
      1,
    ]);
    api.clock.advance(40 * DAY_MS);
    const whole = await read('?span=2026-05');
    expect([whole.parts.length, whole.before.ends_on]).toEqual([31, '2026-04-30']);
    const year = await read('?span=year');
    expect(year.parts.map(({ starts_on }) => starts_on).slice(-2)).toEqual(['2026-05-01', '2026-06-01']);
    expect([year.before.starts_on, year.before.ends_on]).toEqual(['2024-07-01', '2025-06-30']);
    expect(sum(year, 'downloads')).toBe(2);
  });
});
