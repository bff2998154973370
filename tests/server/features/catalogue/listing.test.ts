import { beforeAll, describe, expect, test } from 'vitest';
import { SoundListSchema, SoundSchema } from '#contract/sounds/sounds.ts';
import * as v from 'valibot';
import { findSoundFile } from '#server/features/catalogue/service.ts';
import { expectReply } from '#support/http/replies.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { type TestCatalogue, type TestSound, fillCatalogue } from '#support/sounds/catalogue.ts';
import { bothDatabases, updateRows } from '#support/databases/databases.ts';

const SOUNDS: readonly TestSound[] = [
  { key: 'a', title: '朝', subGenres: ['明るい', 'ピアノ'], downloads: 10, favorites: 5 },
  { key: 'b', title: '昼', subGenres: ['明るい'], downloads: 30, favorites: 1, isAi: true },
  {
    key: 'c',
    title: '夕',
    subGenres: ['明るい', 'ピアノ', '日常'],
    downloads: 20,
    favorites: 9,
    artist: '雅楽堂',
  },
  {
    key: 'd',
    title: '戸',
    type: '効果音',
    subGenres: ['クリック'],
    downloads: 30,
    favorites: 0,
    artist: '雅楽堂',
  },
  { key: 'e', title: '鐘', type: '効果音', downloads: 0, favorites: 9, isAi: true, artist: '雅楽堂' },
  {
    key: 'private',
    title: '秘密',
    subGenres: ['明るい'],
    downloads: 99,
    favorites: 99,
    artist: '雅楽堂',
    isPublished: false,
  },
  { key: 'private-2', title: '秘密の音', type: '効果音', downloads: 99, isPublished: false },
];

describe.each(bothDatabases)('sounds on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);
  let catalogue: TestCatalogue;
  let owner: string;

  beforeAll(async () => {
    catalogue = await fillCatalogue(database, SOUNDS);
    owner = catalogue.artistIds.get('雅楽堂') ?? '';
  });

  const user = encodeURIComponent('雅楽堂');
  const genre = (name: string) => `sub_genres=${catalogue.subGenre(name)}`;
  const type = (name: string) => `type=${catalogue.typeIds.get(name)}`;

  async function list(query: string, userId?: string) {
    const reply = await api.json(`/api/sounds/?${query}`, userId);
    return { ...reply, keys: reply.results.map((sound: { id: string }) => catalogue.keys.get(sound.id)) };
  }

  test('lists public sounds, newest first', async () => {
    expect(await list('')).toMatchObject({
      keys: ['e', 'd', 'c', 'b', 'a'],
      count: 5,
      count_is_capped: false,
      next: null,
    });
  });

  test('orders by downloads and by favourites, newer first among equals', async () => {
    expect((await list('ordering=-downloads')).keys).toEqual(['d', 'b', 'c', 'a', 'e']);
    expect((await list('ordering=-favorites')).keys).toEqual(['e', 'c', 'a', 'b', 'd']);
    expect((await list('ordering=-created')).keys).toEqual(['e', 'd', 'c', 'b', 'a']);
    expect((await list('ordering=relevance')).keys).toEqual(['e', 'd', 'c', 'b', 'a']);
  });

  test('filters, and counts the filtered results', async () => {
    const cases: [query: string, keys: string[]][] = [
      [type('BGM'), ['c', 'b', 'a']],
      [`${type('BGM')}&ordering=-downloads`, ['b', 'c', 'a']],
      [`${type('効果音')}&ordering=-favorites`, ['e', 'd']],
      [`user=${user}`, ['e', 'd', 'c']],
      [`user=${user}&${type('効果音')}`, ['e', 'd']],
      [`user=${user}&ordering=-downloads`, ['d', 'c', 'e']],
      [genre('明るい'), ['c', 'b', 'a']],
      [`${genre('明るい')}&${genre('ピアノ')}`, ['c', 'a']],
      [`${genre('明るい')}&${genre('ピアノ')}&${genre('日常')}&ordering=-favorites`, ['c']],
      [`${genre('明るい')}&${genre('クリック')}`, []],
      [`${genre('明るい')}&${genre('明るい')}`, ['c', 'b', 'a']],
      ['is_ai_generated=true', ['e', 'b']],
      ['is_ai_generated=false&ordering=-downloads', ['d', 'c', 'a']],
      [`is_ai_generated=true&${type('BGM')}&${genre('明るい')}`, ['b']],
      [`user=${user}&is_ai_generated=true`, ['e']],
      ['search=秘密', []],
      ['type=999', []],
      ['type=BGM', []],
      ['type=2147483648', []],
      ['sub_genres=999999999', []],
      ['sub_genres=x', []],
      ['user=nobody', []],
      ['user=%00', []],
      ['user=', []],
      ['favorite=true', []],
    ];
    for (const [query, keys] of cases)
      expect(await list(query), query).toMatchObject({ keys, count: keys.length });
  });

  test('pages without losing or repeating a sound, and returns a full URL of the next page', async () => {
    const seen: string[] = [];
    let path: string | null = `/api/sounds/?page_size=2&ordering=-favorites&x=1`;
    while (path !== null) {
      const reply: { results: { id: string }[]; next: string | null } = await api.json(path);
      seen.push(...reply.results.map((sound) => catalogue.keys.get(sound.id) ?? ''));
      path = reply.next;
    }
    expect(seen).toEqual(['e', 'c', 'a', 'b', 'd']);
    expect(await list('page_size=2&page=2')).toMatchObject({ next: '/api/sounds/?page_size=2&page=3' });
    expect(await list('page=50')).toMatchObject({ keys: [], count: 5, next: null });
    expect(await list('page=1000000&page_size=100&search=朝')).toMatchObject({ keys: [], next: null });
  });

  test('say whether they are music, by the icon of their type', async () => {
    const read = async () => (await list('')).results.map(({ is_music }: { is_music: boolean }) => is_music);
    const setIcon = (icon: string) => updateRows(database, 'sound_types', { icon }, { name: '効果音' });
    await setIcon('effect');
    expect(await read()).toEqual([false, false, true, true, true]);
    expect(await api.json(`/api/sounds/${catalogue.idOf('e')}/`)).toMatchObject({ is_music: false });
    await setIcon('');
    expect(await read()).toEqual([true, true, true, true, true]);
  });

  test('replies match the contract', async () => {
    const reply = await api.json('/api/sounds/');
    expect(v.parse(SoundListSchema, reply).results).toHaveLength(5);
    const sound = await api.json(`/api/sounds/${catalogue.idOf('a')}/`);
    expect(v.parse(SoundSchema, sound)).toEqual(sound);
    expect(sound).toMatchObject({
      title: '朝',
      filename: 'a.mp3',
      artist_name: '音工房',
      file_url: `/audio/${catalogue.idOf('a')}`,
      thumbnail_url: null,
      sub_genres: [String(catalogue.subGenre('明るい')), String(catalogue.subGenre('ピアノ'))],
      type: String(catalogue.typeIds.get('BGM')),
      download_count: 10,
      favorite_count: 5,
      is_editable: false,
      is_favorited: false,
      size_bytes: 48_000,
      created_at: '2026-01-01T00:00:00.000Z',
    });
  });

  describe('a private sound', () => {
    test('is in lists, counts and replies of its owner only', async () => {
      const stranger = catalogue.artistIds.get('音工房');
      for (const userId of [undefined, stranger]) {
        for (const query of [
          '',
          'include_private=true',
          `user=${user}&include_private=true`,
          genre('明るい'),
          'search=秘密',
        ]) {
          const reply = await list(`${query}&page_size=100`, userId);
          expect(reply.keys, query).not.toContain('private');
          expect(reply.count, query).toBe(reply.keys.length);
        }
        expect((await api.get(`/api/sounds/${catalogue.idOf('private')}/`, userId)).status).toBe(404);
        const asked = await api.app.request(`/api/sounds/${catalogue.idOf('private')}/download`, {
          method: 'POST',
        });
        expect(asked.status).toBe(404);
      }
    });

    test('is listed for its owner on request', async () => {
      expect((await list(`user=${user}&include_private=true`, owner)).keys).toEqual([
        'private',
        'e',
        'd',
        'c',
      ]);
      expect((await list(`user=${user}&include_private=true&${type('BGM')}`, owner)).keys).toEqual([
        'private',
        'c',
      ]);
      expect((await list(`user=${user}&include_private=true&ordering=-downloads`, owner)).keys).toEqual([
        'private',
        'd',
        'c',
        'e',
      ]);
      expect((await list(`user=${user}&include_private=true&${genre('明るい')}`, owner)).keys).toEqual([
        'private',
        'c',
      ]);
      expect((await list(`user=${user}`, owner)).keys).toEqual(['e', 'd', 'c']);
      expect((await list('include_private=true', owner)).keys).toEqual(['e', 'd', 'c', 'b', 'a']);
    });

    test('is shown to its owner, to edit and with a signed file', async () => {
      const id = catalogue.idOf('private');
      expect(await api.json(`/api/sounds/${id}/`, owner)).toMatchObject({
        is_editable: true,
        is_published: false,
        file_url: `/audio/${id}?signed`,
      });
    });
  });

  test('is editable only by its owner', async () => {
    const editable = (reply: { results: { is_editable: boolean }[] }) =>
      reply.results.map((sound) => sound.is_editable);
    expect(editable(await list('', owner))).toEqual([true, true, true, false, false]);
    expect(editable(await list(''))).toEqual([false, false, false, false, false]);
  });

  test('keeps replies to members out of shared caches', async () => {
    const ofMember = await api.get('/api/sounds/', owner);
    expect(ofMember.headers.get('cache-control')).toContain('no-store');
    const ofVisitor = await api.get('/api/sounds/');
    expect(ofVisitor.headers.get('cache-control')).toBe('public, max-age=0, must-revalidate');
    expect(ofVisitor.headers.get('vary')).toContain('Authorization');
    expect(ofVisitor.headers.get('set-cookie')).toBeNull();
  });

  test('answers a download with a URL for that sound', async () => {
    for (const path of ['download', 'download/', 'download?log=true', 'download?log=false']) {
      await expectReply(
        api.app.request(`/api/sounds/${catalogue.idOf('a')}/${path}`, {
          method: 'POST',
        }),
        200,
        { url: `/download/${catalogue.idOf('a')}?signed` },
      );
    }
    const refused = await api.app.request(`/api/sounds/${catalogue.idOf('a')}/download?log=maybe`, {
      method: 'POST',
    });
    expect(refused.status).toBe(400);
  });

  test('describes a file to the media server', async () => {
    expect(await findSoundFile(database, catalogue.idOf('private'))).toEqual({
      id: catalogue.idOf('private'),
      artist_id: owner,
      title: '秘密',
      filename: 'private.mp3',
      audio_key: 'key-of-private',
      audio_mime: 'audio/mpeg',
      audio_size: 48_000,
      is_published: false,
      artistUsername: '雅楽堂',
    });
    expect(await findSoundFile(database, 'nothing')).toBeUndefined();
    expect(await findSoundFile(database, '../../\0')).toBeUndefined();
  });

  test('gives sounds unguessable ids', () => {
    for (const id of catalogue.keys.keys()) expect(id).toMatch(/^[0-9A-Za-z]{16}$/);
  });
});
