import { beforeEach, describe, expect, test } from 'vitest';
import { CHANGED_SOUNDS_MAX, TITLE_LENGTH_MAX } from '#contract/sounds/my-sounds.ts';
import { bothDatabases, updateRows } from '#support/databases/databases.ts';
import { expectProblems } from '#support/http/replies.ts';
import { useApi } from '#support/http/use-api.ts';
import { type TestCatalogue, DEFAULT_ARTIST, fillCatalogue } from '#support/sounds/catalogue.ts';
import { everyTable } from '#server/platform/database/schema.ts';

interface Changed {
  readonly changed: readonly Record<string, unknown>[];
  readonly refused: readonly { readonly id: string; readonly reason: string }[];
}

describe.each(bothDatabases)('changes of several sounds on $name', ({ open, rule }) => {
  const { database, api } = useApi(open);
  let catalogue: TestCatalogue;
  let artist: string;

  beforeEach(async () => {
    catalogue = await fillCatalogue(database, [
      { key: 'rain', title: '雨', subGenres: ['雨'] },
      { key: 'wind', title: '風', isPublished: false },
      { key: 'sea', title: '海' },
      { key: 'foreign', title: '他人の音', artist: '別の人' },
    ]);
    artist = catalogue.artistIds.get(DEFAULT_ARTIST) ?? '';
    await api.logIn(artist);
  });

  const send = async (sounds: readonly object[], user = artist) =>
    api.app.request('/api/sounds/changes/', {
      method: 'POST',
      headers: { 'content-type': 'application/json', authorization: `Bearer ${await api.logIn(user)}` },
      body: JSON.stringify({ sounds }),
    });
  const change = async (sounds: readonly object[]) => {
    const response = await send(sounds);
    expect(response.status).toBe(200);
    return (await response.json()) as Changed;
  };
  const idOf = (key: string) => catalogue.idOf(key);
  const read = async (key: string) => {
    // Only the call for one sound names the picture of links to it.
    const { share_picture_url: _, ...sound } = await api.json(`/api/sounds/${idOf(key)}/`, artist);
    return sound;
  };
  const rows = () => everyTable(database.db).selectFrom('sounds').selectAll().orderBy('seq').execute();

  test('one sound is not changed by who has read an older version, also by two at once', async () => {
    const { updated_at } = await read('rain');
    const save = async (title: string, version?: string) => {
      const form = new FormData();
      form.set('title', title);
      if (version !== undefined) form.set('updated_at', version);
      return api.app.request(`/api/sounds/${idOf('rain')}/`, {
        method: 'PATCH',
        headers: { authorization: `Bearer ${await api.logIn(artist)}` },
        body: form,
      });
    };
    const replies = await Promise.all([save('一', updated_at), save('二', updated_at)]);
    expect(replies.map(({ status }) => status).toSorted()).toEqual([200, 409]);
    const loser = replies.find(({ status }) => status === 409);
    expect(await loser?.json()).toEqual({ detail: 'ほかで変更されたため、そのままにしました。' });
    const { updated_at: later } = await read('rain');
    expect((await save('三', later)).status).toBe(200);
    expect((await save('四')).status).toBe(200);
    expect((await save('五', 'yesterday')).status).toBe(400);
    expect((await read('rain'))['title']).toBe('四');
  });

  test('each sound gets its own values in one call, lists and search show them, and cached pages are dropped once', async () => {
    const sea = String(catalogue.subGenre('海'));
    const { changed, refused } = await change([
      { id: idOf('rain'), title: '豪雨', moods: ['sad'], content_id: 'registered' },
      { id: idOf('wind'), is_published: 'true', sub_genres: [sea], description: '強い風' },
    ]);
    expect(refused).toEqual([]);
    expect(changed).toMatchObject([
      { id: idOf('rain'), title: '豪雨', moods: ['sad'], content_id: 'registered', is_published: true },
      { id: idOf('wind'), title: '風', sub_genres: [sea], description: '強い風', is_published: true },
    ]);
    expect([await read('rain'), await read('wind')]).toEqual(changed);
    const found = await api.json(`/api/sounds/?search=${encodeURIComponent('"強い風"')}`);
    expect(found.results.map(({ id }: { id: string }) => id)).toEqual([idOf('wind')]);
    expect(api.countChanges()).toBe(1);
  });

  test('a sound that cannot be changed stays and is named, and the others change', async () => {
    await updateRows(database, 'sounds', { is_published: 0, hidden_reason: '申し立て' }, { id: idOf('sea') });
    const before = await rows();
    const { changed, refused } = await change([
      { id: idOf('foreign'), title: '盗む' },
      { id: 'x'.repeat(16), title: 'ない' },
      { id: '../', title: 'ない' },
      { id: idOf('sea'), title: '深海', is_published: 'true' },
      { id: idOf('rain'), title: '新しい', sub_genres: ['999999'] },
      { id: idOf('wind'), title: 'そよ風' },
    ]);
    expect(changed.map(({ title }) => title)).toEqual(['そよ風']);
    const missing = '見つかりませんでした。';
    expect(refused).toEqual([
      { id: idOf('foreign'), reason: missing },
      { id: 'x'.repeat(16), reason: missing },
      { id: '../', reason: missing },
      { id: idOf('sea'), reason: '運営により非公開になっているため、公開できません。' },
      { id: idOf('rain'), reason: '選んだジャンルが見つかりません。画面を読み込み直してください。' },
    ]);
    const others = (all: Awaited<ReturnType<typeof rows>>) => all.filter(({ id }) => id !== idOf('wind'));
    expect(others(await rows())).toEqual(others(before));
  });

  test('old values with the time of a change bring back exactly what was there, unless it changed in between', async () => {
    const [rain, wind] = [await read('rain'), await read('wind')];
    const { changed } = await change([
      { id: rain.id, updated_at: rain.updated_at, title: 'あ', sub_genres: [], licence_uses: ['video'] },
      { id: wind.id, updated_at: wind.updated_at, title: 'い', is_published: 'true' },
    ]);
    // At the same time: only the order of the changes tells them apart.
    await change([{ id: wind.id, title: 'う' }]);
    const undone = await change([
      {
        id: rain.id,
        updated_at: changed[0]?.['updated_at'],
        title: rain.title,
        sub_genres: rain.sub_genres,
        licence_uses: rain.licence_uses,
      },
      { id: wind.id, updated_at: changed[1]?.['updated_at'], title: wind.title, is_published: 'false' },
    ]);
    expect(undone.changed.map((sound) => ({ ...sound, updated_at: '' }))).toEqual([
      { ...rain, updated_at: '' },
    ]);
    expect(undone.refused).toEqual([{ id: wind.id, reason: 'ほかで変更されたため、そのままにしました。' }]);
    expect(await read('wind')).toMatchObject({ title: 'う', is_published: true });
  });

  test('two calls for the same sounds in opposite orders both succeed', async () => {
    const ids = ['rain', 'wind', 'sea'].map(idOf);
    const replies = await Promise.all(
      Array.from({ length: 8 }, (_, index) =>
        change((index % 2 === 0 ? ids : ids.toReversed()).map((id) => ({ id, title: `題${index}` }))),
      ),
    );
    expect(replies.map(({ changed, refused }) => [changed.length, refused.length])).toEqual(
      replies.map(() => [3, 0]),
    );
    const titles = await Promise.all(['rain', 'wind', 'sea'].map(async (key) => (await read(key)).title));
    expect(new Set(titles).size).toBe(1);
  });

  rule.each<[what: string, sounds: unknown]>([
    ['no sound', []],
    ['no list', 'rain'],
    ['too many', Array.from({ length: CHANGED_SOUNDS_MAX + 1 }, () => ({ id: 'a' }))],
    ['a title that is too long', [{ id: 'a', title: 'あ'.repeat(TITLE_LENGTH_MAX + 1) }]],
    ['a mood that does not exist', [{ id: 'a', moods: ['angry'] }]],
    ['another time', [{ id: 'a', updated_at: 'yesterday' }]],
    ['no id', [{ title: 'a' }]],
  ])('%s is refused by name, and nothing changes', async (_, sounds) => {
    const before = await rows();
    await expectProblems(send(sounds as object[]), 400, ['sounds']);
    expect(await rows()).toEqual(before);
  });

  rule('a file name and other columns cannot be written', async () => {
    const before = await rows();
    await change([
      { id: idOf('rain'), filename: 'a.mp3', download_count: 9, artist_id: 'x', thumbnail_key: 'x' },
    ]);
    const stable = (all: Awaited<ReturnType<typeof rows>>) => all.map((row) => ({ ...row, updated_at: 0 }));
    expect(stable(await rows())).toEqual(stable(before));
  });

  rule('a body of more than 1 MiB is refused before it is read', async () => {
    const response = await send([{ id: 'a', description: 'あ'.repeat(400_000) }]);
    expect(response.status).toBe(413);
  });
});
