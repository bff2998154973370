import { beforeAll, describe, expect, test } from 'vitest';
import { RESULTS_REACHABLE } from '#contract/sounds/listing-limits.ts';
import { expectReply } from '#support/http/replies.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { DEFAULT_ARTIST, fillCatalogue } from '#support/sounds/catalogue.ts';
import type { TestCatalogue, TestSound } from '#support/sounds/catalogue.ts';
import { bothDatabases, updateRows } from '#support/databases/databases.ts';
import { fillGenerated } from './generated.ts';
import { everyTable } from '#server/platform/database/schema.ts';

const SOUNDS: readonly TestSound[] = [
  { key: 'morning', title: '朝の雨', subGenres: ['明るい', 'ピアノ'], downloads: 10, favorites: 5 },
  { key: 'noon', title: '昼', description: '雨のあと', subGenres: ['明るい'], downloads: 30, isAi: true },
  { key: 'evening', title: '雨', downloads: 20, favorites: 9, artist: '雅楽堂' },
  { key: 'door', title: '戸', type: '効果音', subGenres: ['クリック'], downloads: 40, artist: '雅楽堂' },
  { key: 'bell', title: '鐘', type: '効果音', favorites: 7, artist: '雅楽堂' },
  { key: 'unloved', title: '雨の夜', subGenres: ['明るい'], downloads: 50 },
  { key: 'hidden', title: '雨の秘密', downloads: 60, artist: '雅楽堂', isPublished: false },
  { key: 'withdrawn', title: '雨だった音', artist: DEFAULT_ARTIST },
];
/** Favourited in this order, one a second. */
const FAVORITES = ['bell', 'noon', 'evening', 'withdrawn', 'door', 'morning'];

describe.each(bothDatabases)('a member’s favourites on $name', ({ open }) => {
  const { database, api, useMember } = useApiOnce(open);
  const fan = useMember({ username: 'fan' });
  let catalogue: TestCatalogue;
  let owner: string;

  beforeAll(async () => {
    catalogue = await fillCatalogue(database, SOUNDS);
    owner = catalogue.artistIds.get('雅楽堂') ?? '';
    for (const key of FAVORITES) await favorite(key, fan);
    for (const key of ['hidden', 'unloved']) await favorite(key, owner);
    const id = catalogue.idOf('withdrawn');
    await updateRows(database, 'sounds', { is_published: 0 }, { id });
  });

  async function favorite(key: string, userId: string): Promise<void> {
    api.clock.advance(1_000);
    const path = `/api/sounds/${catalogue.idOf(key)}/toggle-favorite`;
    expect((await api.post(path, undefined, userId)).status).toBe(200);
  }

  async function list(query: string, userId?: string) {
    const reply = await api.json(`/api/sounds/?${query}`, userId);
    return { ...reply, keys: reply.results.map((sound: { id: string }) => catalogue.keys.get(sound.id)) };
  }

  const user = encodeURIComponent('雅楽堂');
  const rain = `search=${encodeURIComponent('雨')}`;
  const genre = (name: string) => `sub_genres=${catalogue.subGenre(name)}`;
  const type = (name: string) => `type=${catalogue.typeIds.get(name)}`;
  const ids = (...keys: string[]) => keys.map((key) => `ids=${catalogue.ids.get(key) ?? key}`).join('&');

  test('are listed newest favourite first, without sounds that became private', async () => {
    expect(await list('favorite=true', fan)).toMatchObject({
      keys: ['morning', 'door', 'evening', 'noon', 'bell'],
      count: 5,
      count_is_capped: false,
      next: null,
    });
    expect((await list('favorite=true&include_private=true', fan)).keys).not.toContain('withdrawn');
  });

  test('are visible only to that member', async () => {
    expect((await list('favorite=true', owner)).keys).toEqual(['unloved', 'hidden']);
    expect(await list('favorite=true')).toMatchObject({ keys: [], count: 0, next: null });
    expect(await list(`favorite=true&${ids('morning')}`)).toMatchObject({ keys: [], count: 0 });
    expect(await list(`favorite=true&${ids('morning')}`, owner)).toMatchObject({ keys: [], count: 0 });
    expect((await list(`favorite=true&user=fan`, owner)).keys).toEqual([]);
    const reply = await api.get('/api/sounds/?favorite=true', fan);
    expect(reply.headers.get('cache-control')).toBe('private, no-store');
  });

  test('are all marked as such', async () => {
    const { results } = await list('favorite=true', fan);
    expect(results.map((sound: { is_favorited: boolean }) => sound.is_favorited)).toEqual(
      Array.from({ length: 5 }, () => true),
    );
    const everything = await list('', fan);
    const marked = everything.results.filter((sound: { is_favorited: boolean }) => sound.is_favorited);
    expect(marked).toHaveLength(5);
  });

  test('can be filtered, searched and ordered like all sounds', async () => {
    const cases: readonly [query: string, keys: readonly string[]][] = [
      [type('効果音'), ['door', 'bell']],
      [`user=${user}`, ['door', 'evening', 'bell']],
      [`user=${user}&${type('BGM')}`, ['evening']],
      [genre('明るい'), ['morning', 'noon']],
      [`${genre('明るい')}&${genre('ピアノ')}`, ['morning']],
      [`${genre('明るい')}&${genre('クリック')}`, []],
      ['is_ai_generated=true', ['noon']],
      ['is_ai_generated=false', ['morning', 'door', 'evening', 'bell']],
      ['ordering=-created', ['bell', 'door', 'evening', 'noon', 'morning']],
      ['ordering=-downloads', ['door', 'noon', 'evening', 'morning', 'bell']],
      ['ordering=-favorites', ['evening', 'bell', 'morning', 'door', 'noon']],
      ['ordering=relevance', ['morning', 'door', 'evening', 'noon', 'bell']],
      [rain, ['evening', 'morning', 'noon']],
      [`${rain}&ordering=relevance`, ['evening', 'morning', 'noon']],
      [`${rain}&ordering=-downloads`, ['noon', 'evening', 'morning']],
      [`${rain}&ordering=-created`, ['evening', 'noon', 'morning']],
      [`${rain}&${genre('明るい')}`, ['morning', 'noon']],
      [`${rain}&user=${user}`, ['evening']],
      ['search=%F0%9F%98%80', []],
      ['search=', ['morning', 'door', 'evening', 'noon', 'bell']],
      ['search=秘密', []],
      [ids('noon', 'unloved', 'bell', 'withdrawn', 'nothing', '-_'), ['noon', 'bell']],
      [`${ids('noon', 'evening', 'bell')}&${rain}`, ['evening', 'noon']],
      ['type=999', []],
      ['sub_genres=x', []],
      ['user=nobody', []],
    ];
    for (const [query, keys] of cases)
      expect(await list(`favorite=true&${query}`, fan), query).toMatchObject({ keys, count: keys.length });
  });

  test('are paged in every order, also in a search', async () => {
    expect(await list('favorite=true&page_size=2&page=2', fan)).toMatchObject({
      keys: ['evening', 'noon'],
      count: 5,
      next: '/api/sounds/?favorite=true&page_size=2&page=3',
    });
    expect(await list(`favorite=true&${rain}&page_size=2&page=2`, fan)).toMatchObject({
      keys: ['noon'],
      count: 3,
      next: null,
    });
    expect(await list('favorite=true&page=9', fan)).toMatchObject({ keys: [], count: 5, next: null });
  });

  describe('asked for by ids', () => {
    test('are found among the sounds asked about', async () => {
      const query = `favorite=true&page_size=100&${ids('morning', 'unloved', 'bell', 'hidden')}`;
      expect((await list(query, fan)).keys).toEqual(['morning', 'bell']);
      expect((await list(query, owner)).keys).toEqual(['unloved', 'hidden']);
    });

    test('sounds come in the listing’s order, and unknown ids are ignored', async () => {
      const some = ids('noon', 'bell', 'nothing', 'door', 'noon');
      expect(await list(some)).toMatchObject({ keys: ['bell', 'door', 'noon'], count: 3, next: null });
      expect((await list(`${some}&ordering=-downloads`)).keys).toEqual(['door', 'noon', 'bell']);
      expect((await list(`${some}&${type('効果音')}`)).keys).toEqual(['bell', 'door']);
      expect((await list(`${ids('noon', 'evening', 'bell')}&${rain}`)).keys).toEqual(['evening', 'noon']);
      expect(await list(`${some}&page_size=2&page=2`)).toMatchObject({ keys: ['noon'], count: 3 });
      expect((await list(ids('nothing'))).keys).toEqual([]);
    });

    test('private sounds are left out', async () => {
      for (const userId of [undefined, fan]) {
        for (const more of ['', '&include_private=true', `&user=${user}&include_private=true`, `&${rain}`]) {
          const reply = await list(`${ids('hidden', 'withdrawn')}${more}`, userId);
          expect(reply, more).toMatchObject({ keys: [], count: 0 });
        }
      }
      const own = `${ids('hidden', 'withdrawn')}&user=${user}&include_private=true`;
      expect((await list(own, owner)).keys).toEqual(['hidden']);
      expect((await list(ids('hidden'), owner)).keys).toEqual([]);
    });

    test('at most 100 ids are accepted, each in the form of an id', async () => {
      const many = (count: number) => Array.from({ length: count }, (_, index) => `ids=x${index}`).join('&');
      expect((await api.get(`/api/sounds/?${many(100)}`)).status).toBe(200);
      await expectReply(api.get(`/api/sounds/?${many(101)}`), 400, { ids: 'idは100個まで指定できます。' });
      expect((await api.get(`/api/sounds/?ids=${encodeURIComponent("' or 1=1")}`)).status).toBe(400);
      expect((await api.get('/api/sounds/?ids=')).status).toBe(400);
    });
  });
});

const MANY = RESULTS_REACHABLE + 300;

describe.each(bothDatabases)('many favourites on $name', ({ open }) => {
  const { database, api, useMember } = useApiOnce(open);
  const some = useMember({ username: 'some' });
  const many = useMember({ username: 'many' });
  /** Ids of the public favourites, newest favourite first. */
  let ofSome: readonly string[];
  let ofMany: readonly string[];
  let searched: readonly string[];

  beforeAll(async () => {
    const sounds = await fillGenerated(database, MANY);
    // A step coprime with the number of sounds gives an order other than that of the sounds.
    const mixed = sounds
      .map((_, index) => sounds[(index * 997) % MANY])
      .filter((sound) => sound !== undefined);
    const published = mixed.filter((sound) => sound.is_published === 1);
    // Several share a time: a page must not end between them by chance.
    const add = (user_id: string, chosen: typeof mixed) =>
      database.db.transaction().execute(async (transaction) => {
        for (const [index, { seq }] of chosen.entries())
          await everyTable(transaction)
            .insertInto('favorites')
            .values({ user_id, sound_seq: seq, created_at: Math.floor(index / 3) })
            .execute();
      });
    const newestFirst = (chosen: typeof mixed) =>
      chosen
        .map((sound, index) => ({ ...sound, madeAt: Math.floor(index / 3) }))
        .sort((a, b) => b.madeAt - a.madeAt || b.seq - a.seq)
        .filter((sound) => sound.is_published === 1)
        .map((sound) => sound.id);
    await add(some, published.slice(0, 250));
    await add(many, mixed);
    ofSome = newestFirst(published.slice(0, 250));
    ofMany = newestFirst(mixed);
    searched = mixed
      .filter((sound) => sound.is_published === 1 && sound.isCommon)
      .sort(
        (a, b) => Number(b.isInTitle) - Number(a.isInTitle) || b.popularity - a.popularity || b.seq - a.seq,
      )
      .map((sound) => sound.id);
  }, 120_000);

  async function listAll(query: string, userId: string): Promise<string[]> {
    const seen: string[] = [];
    let path: string | null = `/api/sounds/?favorite=true&${query}`;
    while (path !== null) {
      const reply: { results: { id: string }[]; next: string | null } = await api.json(path, userId);
      seen.push(...reply.results.map((sound) => sound.id));
      path = reply.next;
    }
    return seen;
  }

  test('exceed one page, and the reachable results', () => {
    expect(ofSome).toHaveLength(250);
    expect(ofMany.length).toBeGreaterThan(RESULTS_REACHABLE);
    expect(searched.length).toBeGreaterThan(500);
  });

  test.each([20, 33, 100])('are paged by %i without gaps or repeats', async (pageSize) => {
    expect(await listAll(`page_size=${pageSize}`, some)).toEqual(ofSome);
  });

  test('are found by a search in the order of relevance', async () => {
    expect(await listAll(`page_size=100&search=${encodeURIComponent('共通')}`, many)).toEqual(
      searched.slice(0, RESULTS_REACHABLE),
    );
  });

  test('end at the last reachable result, and say so', async () => {
    expect(await listAll('page_size=100', many)).toEqual(ofMany.slice(0, RESULTS_REACHABLE));
    const first = await api.json('/api/sounds/?favorite=true', many);
    expect(first).toMatchObject({ count: RESULTS_REACHABLE, count_is_capped: true });
  });
});
