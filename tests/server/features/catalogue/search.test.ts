import { beforeAll, describe, expect, test } from 'vitest';
import { pronounceSounds } from '#server/features/catalogue/search/pronouncing.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { type TestCatalogue, fillCatalogue } from '#support/sounds/catalogue.ts';
import { bothDatabases } from '#support/databases/databases.ts';
import { GOLDEN_QUERIES, GOLDEN_SOUNDS } from './search-golden.ts';

const toSearchPath = (query: string) =>
  `/api/sounds/?page_size=100&search=${encodeURIComponent(query.toWellFormed())}`;

describe.each(bothDatabases)('search on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);
  let catalogue: TestCatalogue;

  beforeAll(async () => {
    catalogue = await fillCatalogue(database, GOLDEN_SOUNDS);
    await pronounceSounds(api.deps);
  });

  async function find(path: string): Promise<string[]> {
    const { results } = await api.json(path);
    return results.map((sound: { id: string }) => catalogue.keys.get(sound.id));
  }

  test.each(GOLDEN_QUERIES)('answers $query', async ({ query, finds, findsFirst, not = [] }) => {
    const reply = await api.json(toSearchPath(query));
    const found: string[] = reply.results.map(({ id }: { id: string }) => catalogue.keys.get(id));
    if (findsFirst !== undefined) expect(found.slice(0, findsFirst.length)).toEqual(findsFirst);
    // What is near is said to be so.
    if (findsFirst?.length === 0 && found.length > 0) expect(reply.search_notes).toBeDefined();
    if (finds !== undefined) expect(found.filter((key) => finds.includes(key))).toEqual(finds);
    expect([...not, 'hidden'].filter((key) => found.includes(key))).toEqual([]);
  });

  test.each(['', ' ', '　', '\t\n', '\u0000', '\u200b'])(
    'lists everything for the blank query %j',
    async (query) => {
      const found = await find(toSearchPath(query));
      expect(found).toEqual(
        GOLDEN_SOUNDS.filter((sound) => sound.isPublished !== false)
          .map((sound) => sound.key)
          .toReversed(),
      );
    },
  );

  test('counts what it finds', async () => {
    const reply = await api.json(`${toSearchPath('John Smith')}&page_size=2`);
    expect(reply).toMatchObject({ count: 5, count_is_capped: false });
    expect(reply.results).toHaveLength(2);
  });

  test('orders hits by the requested order instead of relevance', async () => {
    expect(await find(`${toSearchPath('海辺')}&ordering=-favorites`)).toEqual([
      'same-loved',
      'same-popular',
      'same-obscure',
    ]);
    expect(await find(`${toSearchPath('海辺')}&ordering=-created`)).toEqual([
      'same-loved',
      'same-popular',
      'same-obscure',
    ]);
    expect(await find(`${toSearchPath('海辺')}&ordering=-downloads`)).toEqual([
      'same-popular',
      'same-loved',
      'same-obscure',
    ]);
    expect(await find(`${toSearchPath('海辺')}&ordering=relevance`)).toEqual([
      'same-popular',
      'same-loved',
      'same-obscure',
    ]);
  });

  test('filters hits by type, artist, sub-genre and AI together', async () => {
    const type = catalogue.typeIds.get('効果音');
    expect(await find(`${toSearchPath('雨')}&type=${type}`)).toEqual(['rain', 'rain-night']);
    expect(await find(`${toSearchPath('雨')}&user=${encodeURIComponent('雨宮しずく')}`)).toEqual([
      'by-rain-artist',
    ]);
    expect(await find(`${toSearchPath('雨')}&sub_genres=${catalogue.subGenre('ピアノ')}`)).toEqual([
      'rain-piano',
    ]);
    expect(await find(`${toSearchPath('雨')}&is_ai_generated=true`)).toEqual([]);
  });

  test('suggests searches that find something for one that does not', async () => {
    const suggest = async (search: string) =>
      (await api.json(`/api/search/suggestions/?search=${encodeURIComponent(search)}`)).results;
    expect(await suggest('ピアナ')).toMatchObject([{ search: 'ピアノ', count: 4 }]);
    expect(await suggest('pianno')).toMatchObject([{ search: 'piano' }, { search: 'ピアノ' }]);
    expect(await suggest('ピアナ かけくらべ')).toMatchObject([{ search: 'ピアノ' }]);
    expect(await suggest('雨 かけくらべ')).toMatchObject([{ search: '雨' }]);
    expect(await suggest('存在しない秘密')).toEqual([]);
    expect(await suggest('')).toEqual([]);
    const { status } = await api.get(`/api/search/suggestions/?search=${'雨'.repeat(1_000)}`);
    expect(status).toBe(400);
  });

  const readNotes = async (search: string) => {
    const { results, search_notes } = await api.json(toSearchPath(search));
    return {
      notes: search_notes,
      found: results.map(({ id }: { id: string }) => catalogue.keys.get(id)) as string[],
    };
  };

  test('says what it searched in place of words that find nothing', async () => {
    const broader = await readNotes('シンデレラ城の戦国武将バイオリニスト');
    expect(broader.notes).toBeDefined();
    const near = await readNotes('ぐるーぷぶ');
    expect(near).toMatchObject({ found: ['rb'], notes: { replaced: [{ word: 'ぐるーぷぶ', why: 'near' }] } });
    expect((await readNotes('雨 鵺鵺鵺')).notes).toMatchObject({ left_out: ['鵺鵺鵺'] });
    expect((await readNotes('"雨 鵺鵺鵺"')).found).toEqual([]);
    const partial = await readNotes('雨 戦闘');
    expect(partial.notes).toMatchObject({ is_partial: true });
    expect(partial.found).toEqual(expect.arrayContaining(['rain', 'battle-1']));
    expect((await readNotes('雨')).notes).toBeUndefined();
  });

  test('takes words for facts, and names them as they were typed', async () => {
    const { notes } = await readNotes('雨 １０秒');
    expect(notes.facts).toContainEqual({ word: '１０秒', name: 'length', values: ['0-10', '10-30'] });
  });

  test('excludes by meaning what it includes by meaning, and in quotes only what is written', async () => {
    expect((await readNotes('ピアノ -雨音')).found).not.toContain('rain-piano');
    expect((await readNotes('ピアノ -"雨音"')).found).toContain('rain-piano');
  });

  test('finds nothing that it wants and excludes', async () => {
    expect(await readNotes('雨 -雨')).toEqual({ found: [], notes: undefined });
    expect(await readNotes('"雨" ピアノ -"雨"')).toEqual({ found: [], notes: undefined });
  });

  test('of a long text that was copied, finds only what is written like it', async () => {
    const copied = '木馬がくるくると回りつづける遊園地で、閉園の鐘が鳴りおわるまで';
    expect(await readNotes(copied)).toEqual({ found: ['copied'], notes: undefined });
    expect((await readNotes(`${copied}、録りました`)).notes).toMatchObject({ is_partial: true });
  });

  test('lists what an exclusion leaves in the order in which it was', async () => {
    const { found } = await readNotes('雨');
    expect(found.at(-1)).toBe('by-rain-artist');
    for (const excluded of ['-鵺鵺鵺', '-ピアノ', '-"ピアノ"']) {
      const kept = found.filter((key) => excluded === '-鵺鵺鵺' || key !== 'rain-piano');
      expect((await readNotes(`雨 ${excluded}`)).found).toEqual(kept);
    }
  });

  test('finds a private sound only for its owner among their own', async () => {
    const owner = catalogue.artistIds.get('音工房') ?? '';
    const own = `${toSearchPath('秘密')}&user=${encodeURIComponent('音工房')}&include_private=true`;
    const keysOf = (reply: { results: { id: string }[] }) =>
      reply.results.map((sound) => catalogue.keys.get(sound.id));
    expect(keysOf(await api.json(own, owner))).toEqual(['hidden']);
    expect(keysOf(await api.json(own, catalogue.artistIds.get('雅楽堂')))).toEqual([]);
    expect(keysOf(await api.json(own))).toEqual([]);
    expect(keysOf(await api.json(`${toSearchPath('秘密')}&include_private=true`, owner))).toEqual([]);
    const ranked = await api.json(
      `${toSearchPath('雨')}&user=${encodeURIComponent('音工房')}&include_private=true`,
      owner,
    );
    expect(keysOf(ranked).slice(0, 2)).toEqual(['rain', 'hidden']);
  });
});

test('the golden set has at least sixty queries', () => {
  expect(new Set(GOLDEN_QUERIES.map((golden) => golden.query)).size).toBeGreaterThanOrEqual(60);
});
