import { describe, expect, test } from 'vitest';
import type { OperatorGenres } from '#contract/operator/genres.ts';
import { useApi } from '#support/http/use-api.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { bothDatabases, listRows } from '#support/databases/databases.ts';

describe.each(bothDatabases)('genres in the console on $name', ({ open, rule }) => {
  const { database, api, useStaff } = useApi(open);
  const staff = useStaff();

  async function post(path: string, body: object) {
    const response = await api.post(`/api/operator/labels/${path}`, body, staff);
    return { status: response.status, body: (await response.json()) as Record<string, unknown> };
  }
  const list = () => api.json('/api/operator/labels/', staff) as Promise<OperatorGenres>;
  const add = async (body: object) => (await post('', body)).body['id'] as number;

  test('are added, changed and removed, which visitors see at once', async () => {
    const type = await add({ kind: 'type', name: ' 環境\u200b音 ', icon: '🌳' });
    const genre = await add({ kind: 'genre', name: '季節' });
    const spring = await add({ kind: 'sub-genre', name: '春', genre_id: genre });
    await add({ kind: 'sub-genre', name: '夏', genre_id: genre });
    const changed = await post('change/', { kind: 'sub-genre', id: spring, name: '早春', order: 9 });
    expect(changed).toEqual({ status: 200, body: { id: spring } });
    const { types, genres } = await list();
    expect(types).toContainEqual({
      id: type,
      name: '環境音',
      icon: '🌳',
      order: expect.any(Number),
      sounds: 0,
    });
    expect(genres).toMatchObject([
      {
        id: genre,
        name: '季節',
        sounds: 0,
        sub_genres: [{ name: '夏' }, { id: spring, name: '早春', order: 9 }],
      },
    ]);
    expect(await api.json('/api/genres/')).toMatchObject([
      { name: '季節', sub_genres: [{ name: '夏' }, { name: '早春' }] },
    ]);
    expect((await post('remove/', { kind: 'genre', id: genre })).status).toBe(200);
    expect((await list()).genres).toEqual([]);
    expect((await post('remove/', { kind: 'genre', id: genre })).status).toBe(404);
    const actions = await listRows(database, 'operator_actions', {}, ['action']);
    expect(actions.map(({ action }) => action).toSorted()).toEqual([
      'add genre',
      'add sub-genre',
      'add sub-genre',
      'add type',
      'change sub-genre',
      'remove genre',
    ]);
  });

  test('are not changed by someone who has not seen the last change', async () => {
    const id = await add({ kind: 'type', name: '環境音', icon: '🌳' });
    const seen =
      (await list()).types.find((type) => type.id === id) ?? expect.unreachable('it is not listed');
    const read = { name: seen.name, icon: seen.icon, order: seen.order };
    const change = (body: object) =>
      post('change/', { kind: 'type', id, name: '環境音', icon: '🌳', order: seen.order, ...body });
    const both = await Promise.all([change({ order: 7, read }), change({ icon: '🌲', read })]);
    expect(both.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    expect(both.find(({ status }) => status === 409)?.body).toEqual({
      detail: expect.stringContaining('さんが先に変更しています。'),
    });
    // Without what was read, as an older page sends it, the last change wins.
    expect((await change({ name: '自然' })).status).toBe(200);
    expect((await change({ name: '森', read })).status).toBe(409);
  });

  rule('count the sounds that have them, which keep them from being removed', async () => {
    await fillCatalogue(database, [
      { key: 'a', title: '朝' },
      { key: 'b', title: '昼', isPublished: false },
    ]);
    const { types, genres } = await list();
    const used = types.find(({ sounds }) => sounds > 0) ?? expect.unreachable('no type is used');
    const total = types.reduce((sum, { sounds }) => sum + sounds, 0);
    expect(total).toBe(2);
    for (const genre of genres) {
      const inSubGenres = genre.sub_genres.map(({ sounds }) => sounds);
      expect(genre.sounds).toBeGreaterThanOrEqual(Math.max(0, ...inSubGenres));
    }
    expect(await post('remove/', { kind: 'type', id: used.id })).toEqual({
      status: 409,
      body: { detail: expect.stringContaining(`${used.sounds}件のサウンド`) },
    });
  });

  rule.each([
    ['name', { kind: 'genre', name: ' ' }],
    ['name', { kind: 'genre', name: '長'.repeat(41) }],
    ['name', { kind: 'genre', name: '季節' }],
    ['icon', { kind: 'type', name: '新', icon: '🌳'.repeat(41) }],
    ['kind', { kind: 'tag', name: '新' }],
    ['genre_id', { kind: 'sub-genre', name: '新' }],
    ['genre_id', { kind: 'sub-genre', name: '新', genre_id: 999 }],
  ])('name the field %s of %j', async (field, body) => {
    await add({ kind: 'genre', name: '季節' });
    const refused = await post('', body);
    expect([refused.status, Object.keys(refused.body)]).toEqual([400, [field]]);
  });
});
