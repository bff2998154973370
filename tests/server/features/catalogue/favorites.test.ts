import { beforeEach, describe, expect, test } from 'vitest';
import * as v from 'valibot';
import { toggleFavorite } from '#contract/sounds/sounds.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { toLevel, toPopularity } from '#server/features/catalogue/popularity.ts';
import { facets } from '#server/features/catalogue/search/tokens.ts';
import { expectReply } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { type TestCatalogue, fillCatalogue } from '#support/sounds/catalogue.ts';
import { bothDatabases, deleteRows, getRow, listRows } from '#support/databases/databases.ts';
import { depth } from '#support/depth.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const RANKS = ['download_count', 'favorite_count', 'popularity'] as const;
const HIGHEST_LEVEL = 12;
/** Each waits for a row. After five seconds it would be refused. */
const PRESSES = depth(60, 200);

describe.each(bothDatabases)('favourites on $name', ({ open }) => {
  const { database, api } = useApi(open);
  let catalogue: TestCatalogue;
  let owner: string;
  let fan: string;

  beforeEach(async () => {
    catalogue = await fillCatalogue(database, [
      { key: 'rain', title: '雨', downloads: 5 },
      { key: 'sea', title: '雨の海', downloads: 2 },
      { key: 'wind', title: '風' },
      { key: 'private', title: '雨の秘密', isPublished: false, artist: '雅楽堂' },
    ]);
    owner = catalogue.artistIds.get('雅楽堂') ?? '';
    fan = await addMember('fan');
    await api.logIn(fan);
  });

  const addMember = (username: string) =>
    createUser(database, { username, email: `${username}@example.test` });

  const post = (key: string, userId: string, by = api) =>
    by.post(`/api/sounds/${catalogue.ids.get(key) ?? key}/toggle-favorite`, undefined, userId);

  async function toggle(key: string, userId: string) {
    const response = await post(key, userId);
    expect(response.status).toBe(200);
    return v.parse(toggleFavorite.reply, await response.json());
  }

  async function findRanks(key: string) {
    return everyTable(database.db)
      .selectFrom('sounds')
      .select(['seq', ...RANKS])
      .where('id', '=', catalogue.idOf(key))
      .executeTakeFirstOrThrow();
  }

  async function countRows(key: string): Promise<number> {
    const { rows } = await everyTable(database.db)
      .selectFrom('favorites')
      .innerJoin('sounds', 'sounds.seq', 'favorites.sound_seq')
      .select((eb) => eb.fn.countAll<number>().as('rows'))
      .where('sounds.id', '=', catalogue.idOf(key))
      .executeTakeFirstOrThrow();
    return rows;
  }

  /** The index has exactly the levels that the counts in the row have reached. */
  async function expectIndexToAgree(key: string): Promise<void> {
    const row = await findRanks(key);
    expect(row.popularity).toBe(toPopularity(row.download_count, row.favorite_count));
    for (const column of RANKS) {
      const level = toLevel(row[column]);
      for (let asked = 0; asked <= HIGHEST_LEVEL; asked++) {
        const found = await database.search.newest(database.db, facets.level(column, asked), 100);
        const isReached = level === 0 ? asked === 0 : asked > 0 && asked <= level;
        expect(found.includes(row.seq), `${key}: ${column} ${row[column]}, level ${asked}`).toBe(isReached);
      }
    }
  }

  test('adds a sound to the favourites and removes it', async () => {
    expect(await toggle('rain', fan)).toEqual({ is_favorited: true, favorite_count: 1 });
    expect(await toggle('rain', owner)).toEqual({ is_favorited: true, favorite_count: 2 });
    expect(await toggle('rain', fan)).toEqual({ is_favorited: false, favorite_count: 1 });
    expect(await findRanks('rain')).toMatchObject({
      favorite_count: 1,
      popularity: 5 + 3,
      download_count: 5,
    });
    expect(await countRows('rain')).toBe(1);
    expect(await countRows('sea')).toBe(0);
  });

  test('keeps the time at which a favourite was added', async () => {
    api.clock.advance(1_234);
    await toggle('rain', fan);
    const row = await getRow(database, 'favorites');
    expect(row).toMatchObject({ user_id: fan, created_at: api.clock.now() });
  });

  test.each(['nothing', '0000000000000000', '%00', '-', 'a'.repeat(41)])(
    'answers 404 for the sound %j',
    async (id) => {
      expect((await post(id, fan)).status).toBe(404);
    },
  );

  test('hides the existence of a private sound from other members', async () => {
    const ofPrivate = await post('private', fan);
    const ofNothing = await post('nothing', fan);
    await expectReply(ofPrivate, 404, await ofNothing.json());
    expect(await countRows('private')).toBe(0);
    expect(await toggle('private', owner)).toEqual({ is_favorited: true, favorite_count: 1 });
  });

  test('shows a member’s favourites to that member only', async () => {
    await toggle('rain', fan);
    const isFavorited = async (userId?: string) => {
      const { results } = await api.json('/api/sounds/', userId);
      const one = await api.json(`/api/sounds/${catalogue.idOf('rain')}/`, userId);
      const listed = results.map((sound: { id: string; is_favorited: boolean }) => [
        catalogue.keys.get(sound.id),
        sound.is_favorited,
      ]);
      return { ...Object.fromEntries(listed), one: one.is_favorited };
    };
    expect(await isFavorited(fan)).toEqual({ rain: true, sea: false, wind: false, one: true });
    expect(await isFavorited(owner)).toEqual({ rain: false, sea: false, wind: false, one: false });
    expect(await isFavorited()).toEqual({ rain: false, sea: false, wind: false, one: false });
  });

  test(`counts one member pressing ${PRESSES} times at once`, async () => {
    const replies = await Promise.all(Array.from({ length: PRESSES }, () => toggle('rain', fan)));
    expect(replies.filter((reply) => reply.is_favorited)).toHaveLength(PRESSES / 2);
    expect(new Set(replies.map((reply) => reply.favorite_count))).toEqual(new Set([0, 1]));
    expect(await findRanks('rain')).toMatchObject({ favorite_count: 0, popularity: 5 });
    expect(await countRows('rain')).toBe(0);
    await Promise.all(Array.from({ length: 7 }, () => toggle('rain', fan)));
    expect(await findRanks('rain')).toMatchObject({ favorite_count: 1, popularity: 8 });
    expect(await countRows('rain')).toBe(1);
    await expectIndexToAgree('rain');
  });

  test('counts fifty members concurrently, on several sounds', async () => {
    const members = await Promise.all(Array.from({ length: 50 }, (_, index) => addMember(`member${index}`)));
    // Logs in first: a token is valid once its session is stored.
    await Promise.all(members.map((member) => api.logIn(member)));
    const presses = members.flatMap((member, index) => {
      const keys = index % 2 === 0 ? ['rain', 'sea', 'wind'] : ['wind', 'sea', 'rain'];
      return keys.map((key) => toggle(key, member));
    });
    await Promise.all(presses);
    for (const key of ['rain', 'sea', 'wind']) {
      expect(await countRows(key)).toBe(50);
      expect((await findRanks(key)).favorite_count).toBe(50);
      await expectIndexToAgree(key);
    }
  });

  test('loses no download that is counted concurrently', async () => {
    const download = () =>
      everyTable(database.db)
        .updateTable('sounds')
        .set((eb) => ({ download_count: eb('download_count', '+', 1), popularity: eb('popularity', '+', 1) }))
        .where('id', '=', catalogue.idOf('rain'))
        .execute();
    await Promise.all(Array.from({ length: 41 }, () => [toggle('rain', fan), download()]).flat());
    expect(await findRanks('rain')).toMatchObject({
      download_count: 46,
      favorite_count: 1,
      popularity: toPopularity(46, 1),
    });
  });

  test('updates the position of a sound in orders by favourites', async () => {
    const find = async (query: string) => {
      const { results } = await api.json(`/api/sounds/?${query}`);
      return results.map((sound: { id: string }) => catalogue.keys.get(sound.id));
    };
    const search = `search=${encodeURIComponent('雨')}&ordering=-favorites`;
    expect(await find('ordering=-favorites')).toEqual(['wind', 'sea', 'rain']);
    expect(await find(search)).toEqual(['sea', 'rain']);
    const members = [fan, owner, await addMember('third')];
    for (const member of members) {
      await toggle('rain', member);
      await expectIndexToAgree('rain');
    }
    await toggle('wind', fan);
    expect(await find('ordering=-favorites')).toEqual(['rain', 'wind', 'sea']);
    expect(await find(search)).toEqual(['rain', 'sea']);
    for (const member of members) {
      await toggle('rain', member);
      await expectIndexToAgree('rain');
    }
    expect(await find('ordering=-favorites')).toEqual(['wind', 'sea', 'rain']);
    expect(await find(search)).toEqual(['sea', 'rain']);
  });

  test('does not drop cached pages', async () => {
    await toggle('rain', fan);
    expect(api.countChanges()).toBe(0);
  });

  test('is deleted with its member and with its sound', async () => {
    await toggle('rain', fan);
    await toggle('sea', fan);
    const { seq } = await findRanks('sea');
    await deleteRows(database, 'sounds', { seq });
    expect(await countRows('rain')).toBe(1);
    await deleteRows(database, 'users', { id: fan });
    expect(await listRows(database, 'favorites')).toEqual([]);
  });
});
