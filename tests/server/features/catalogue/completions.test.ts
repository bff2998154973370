import { beforeAll, describe, expect, test } from 'vitest';
import { createUser } from '#server/features/accounts/users.ts';
import { pronounceSounds } from '#server/features/catalogue/search/pronouncing.ts';
import { suspendMember } from '#server/features/takedowns/suspensions.ts';
import { hideSound } from '#server/features/takedowns/sounds.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { type TestCatalogue, fillCatalogue } from '#support/sounds/catalogue.ts';
import { bothDatabases } from '#support/databases/databases.ts';

const NOTHING = { words: [], artists: [], sounds: [] };

describe.each(bothDatabases)('completions of a search on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);
  let catalogue: TestCatalogue;

  beforeAll(async () => {
    catalogue = await fillCatalogue(database, [
      { key: 'rain', title: '雨', subGenres: ['雨'], downloads: 5 },
      { key: 'loved', title: '夜の雨', downloads: 300 },
      { key: 'piano', title: 'ピアノの朝', subGenres: ['ピアノ'] },
      { key: 'steps', title: '足音', artist: 'Footfall' },
      { key: 'sonata', title: 'Piano Sonata', artist: 'John_Smith' },
      { key: 'draft', title: '雨の秘密', isPublished: false, downloads: 9_000 },
      { key: 'hidden', title: '雨の裏側', downloads: 9_000 },
      { key: 'suspended', title: '雨の亡霊', artist: 'Jonas', downloads: 9_000 },
      { key: 'withdrawn', title: '湖の主', artist: 'Jordan', isPublished: false },
    ]);
    await createUser(database, { username: 'Joseph', email: 'listener@example.test' });
    await pronounceSounds(api.deps);
    const staff = await createUser(database, { username: 'st', email: 'st@example.test', is_staff: true });
    await hideSound(api.deps, catalogue.idOf('hidden'), staff, '理由');
    await suspendMember(api.deps, catalogue.artistIds.get('Jonas') ?? '', staff, '理由');
  });

  const ask = (search: string) => api.get(`/api/search/completions/?search=${encodeURIComponent(search)}`);
  const complete = async (search: string) => {
    const { words, artists, sounds } = await (await ask(search)).json();
    return { words, artists, sounds: sounds.map(({ id }: { id: string }) => catalogue.keys.get(id)) };
  };

  test.each([
    ['雨', { sounds: ['loved', 'rain'] }],
    ['夜', { sounds: ['loved'] }],
    ['あめ', { sounds: ['loved', 'rain'] }],
    ['アメ', { sounds: ['loved', 'rain'] }],
    ['あしおと', { sounds: ['steps'] }],
    ['pia', { sounds: ['sonata'], artists: [] }],
    ['john', { sounds: [], artists: ['John_Smith'] }],
    ['smi', { sounds: [], artists: [] }],
    ['Foot', { sounds: [], artists: ['Footfall'] }],
  ])('of %s are %o', async (search, expected) => {
    expect(await complete(search)).toMatchObject(expected);
  });

  test.each([
    ['あ', '雨'],
    ['あめ', '雨'],
    ['ぴあ', 'ピアノ'],
    ['ﾋﾟｱ', 'ピアノ'],
    ['pian', 'ピアノ'],
    ['あしお', '足音'],
    ['夜 あめ', '夜 雨'],
  ])('of %s include the word %s', async (search, word) => {
    expect((await complete(search)).words).toContain(word);
  });

  test('put the word that is read like the text first, and leave out what is typed already', async () => {
    expect((await complete('あめ')).words[0]).toBe('雨');
    expect((await complete('雨')).words).not.toContain('雨');
  });

  test('leave out words that find nothing', async () => {
    expect((await complete('ひつ')).words).toEqual([]);
    expect((await complete('ピアノ あしおと')).words).toEqual([]);
  });

  test('never show what a visitor cannot see, also not to its owner', async () => {
    const all = JSON.stringify(
      await Promise.all(
        ['雨', '雨の', 'ひみつ', '秘密', '裏側', '亡霊', 'Jo', 'jonas', 'jordan', 'joseph', '湖'].map(
          async (search) => (await ask(search)).json(),
        ),
      ),
    );
    expect(all).not.toMatch(/秘密|裏側|亡霊|湖の主|Jonas|Jordan|Joseph/);
    expect(all).toContain('John_Smith');
    const owner = catalogue.artistIds.get('音工房');
    const own = await api.get('/api/search/completions/?search=秘密', owner);
    expect(await own.json()).toEqual(NOTHING);
    expect(own.headers.get('cache-control')).toBe('private, no-store');
  });

  test('are kept for a minute', async () => {
    expect((await ask('雨')).headers.get('cache-control')).toBe('public, max-age=60');
  });

  test.each([
    '',
    ' ',
    '　',
    '-',
    '-雨',
    '"雨',
    '雨 -夜',
    '!!!',
    '\u0000',
    '%',
    '_',
    "' or 1=1",
    '\ud800',
    '♪',
    '*',
  ])('of %j are none', async (search) => {
    const path = `/api/search/completions/?search=${encodeURIComponent(search.toWellFormed())}`;
    expect(await api.json(path)).toEqual(NOTHING);
  });

  test('are bounded, and refused for a text that is too long', async () => {
    const { status } = await ask('雨'.repeat(101));
    expect(status).toBe(400);
    for (const search of ['雨'.repeat(100), 'a '.repeat(50), 'あ い '.repeat(25), '(((((', '*'.repeat(100)]) {
      const answer = await ask(search);
      expect(answer.status).toBe(200);
      const { words, artists, sounds } = await answer.json();
      expect(words.length).toBeLessThanOrEqual(4);
      expect(artists.length).toBeLessThanOrEqual(2);
      expect(sounds.length).toBeLessThanOrEqual(3);
    }
  });
});
