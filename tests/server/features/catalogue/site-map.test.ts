import { beforeAll, describe, expect, test } from 'vitest';
import { countSiteMapParts, selectSiteMapPart } from '#server/features/catalogue/site-map-queries.ts';
import { bothDatabases, updateRows } from '#support/databases/databases.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { type TestCatalogue, fillCatalogue } from '#support/sounds/catalogue.ts';

const UPDATED_AT = Date.UTC(2026, 4, 3);

describe.each(bothDatabases)('the site map on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);
  let catalogue: TestCatalogue;

  beforeAll(async () => {
    catalogue = await fillCatalogue(database, [
      { key: 'a', title: '朝', artist: '雅楽堂' },
      { key: 'b', title: '昼' },
      { key: 'private', title: '秘密', isPublished: false, artist: '秘密堂' },
      { key: 'late', title: '夜', artist: '雅楽堂' },
    ]);
    await updateRows(database, 'sounds', { updated_at: UPDATED_AT });
  });

  test('has a part for every so many sounds that were ever uploaded', async () => {
    expect(await api.json('/api/sitemap/')).toEqual({ parts: 1 });
    expect(await countSiteMapParts(database.db, 3)).toBe(2);
    expect(await countSiteMapParts(database.db, 4)).toBe(1);
  });

  test('has each public sound once, and each artist beside the newest one', async () => {
    const toSound = (key: string) => ({ id: catalogue.ids.get(key), updatedAt: UPDATED_AT });
    expect(await selectSiteMapPart(database.db, 1, 3)).toEqual({
      sounds: [toSound('a'), toSound('b')],
      artists: [{ username: '音工房', updatedAt: UPDATED_AT }],
    });
    expect(await selectSiteMapPart(database.db, 2, 3)).toEqual({
      sounds: [toSound('late')],
      artists: [{ username: '雅楽堂', updatedAt: UPDATED_AT }],
    });
    const { sounds, artists } = await api.json('/api/sitemap/1/');
    expect([sounds.length, artists.length]).toEqual([3, 2]);
    expect(sounds[0]).toEqual({ id: catalogue.ids.get('a'), updated_at: '2026-05-03T00:00:00.000Z' });
  });

  test.each(['0', '2', '01', '1.0', '-1', 'x', '99999', '9'.repeat(40)])('has no part %s', async (part) => {
    expect((await api.app.request(`/api/sitemap/${part}/`)).status).toBe(404);
  });
});
