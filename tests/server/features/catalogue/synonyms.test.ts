import { readFileSync, writeFileSync } from 'node:fs';
import { describe, expect, onTestFinished, test } from 'vitest';
import { foldSearchText } from '#contract/search-tokens.ts';
import { openDictionary } from '#server/features/catalogue/search/dictionary.ts';
import { toKanaReading } from '#server/features/catalogue/search/pronunciations.ts';
import { parseSynonyms } from '#server/features/catalogue/search/synonyms.ts';
import { addSynonyms } from '#server/features/catalogue/catalogue.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createTestApi } from '#support/http/api.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { ruleDatabases } from '#support/databases/databases.ts';

describe('parseSynonyms', () => {
  test('reads one group a line', () => {
    expect(parseSynonyms('# Moods\r\n\r\nホラー, 怖い\r\n大雨, heavy rain < 雨\r\nビオラ < 弦楽器')).toEqual([
      { words: ['ホラー', '怖い'], broader: undefined },
      { words: ['大雨', 'heavy rain'], broader: '雨' },
      { words: ['ビオラ'], broader: '弦楽器' },
    ]);
  });

  test('reads a word of the greatest length', () => {
    const word = '雨'.repeat(24);
    expect(parseSynonyms(`${word}, rain`)[0]?.words).toEqual([word, 'rain']);
  });

  test('accepts a hundred words in a group, and no more', () => {
    const list = (count: number) => Array.from({ length: count }, (_, index) => `word${index}`).join(', ');
    expect(parseSynonyms(list(100))[0]?.words).toHaveLength(100);
    expect(() => parseSynonyms(list(101))).toThrow('has more than 100 words');
  });

  test.each([
    ['only one word', '雨'],
    ['a blank word', '雨, , rain'],
    ['a blank word', '雨, \u200b'],
    ['a blank word', '雨, rain < '],
    ['twice', 'ピアノ, ﾋﾟｱﾉ'],
    ['twice', 'ヴァイオリン, ばいおりん'],
    ['twice', '大雨, 雨 < 雨'],
    ['too long', `雨, ${'a'.repeat(25)}`],
    ['a separator', '小雨, 霧雨 < 雨 < 天気'],
    ['a separator', '小雨, 霧雨 < 雨, 天気'],
    ['a separator', '小雨, 霧雨 <'],
  ])('names the line that has %s: %j', (fault, line) => {
    expect(() => parseSynonyms(`# Weather\n雪, snow\n${line}\n風, wind`)).toThrow(
      new RegExp(`^Line 3 of the synonyms has .*${fault}`),
    );
  });
});

describe('synonyms.txt', () => {
  const text = readFileSync(
    new URL('../../../../server/features/catalogue/search/synonyms.txt', import.meta.url),
    'utf8',
  );
  const groups = parseSynonyms(text);
  /** A word as a query is compared: folded and, if it is long enough, without a ー at its end. */
  const toKey = (word: string) => foldSearchText(word).replace(/^(.{3,})ー$/u, '$1');
  const words = groups.flatMap((group) => group.words);

  test('has at least 320 groups', () => {
    expect(groups.length).toBeGreaterThanOrEqual(320);
  });

  test('is written as the format says', () => {
    const written = groups.map(({ words: list, broader }) =>
      [list.join(', '), ...(broader === undefined ? [] : [broader])].join(' < '),
    );
    const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'));
    expect(written).toEqual(lines);
  });

  test('has no word that a search cannot tell from another of its group', () => {
    const repeated = groups.filter(({ words: list }) => new Set(list.map(toKey)).size < list.length);
    expect(repeated).toEqual([]);
  });

  test('has a word in at most two groups', () => {
    const counts = Map.groupBy(words, toKey);
    expect([...counts].filter(([, same]) => same.length > 2).map(([word]) => word)).toEqual([]);
  });

  test('has no two groups with the same words', () => {
    const sets = groups.map(({ words: list }) => list.map(toKey).sort().join());
    expect(sets.filter((set, index) => sets.indexOf(set) !== index)).toEqual([]);
  });

  test('has no word of one or two kana, which would match inside other words', () => {
    const short = words.filter((word) => /^[ぁ-ゖー]{1,2}$/.test(toKey(word)));
    expect(short).toEqual(['ドア']);
  });

  test('has single characters only in Chinese script', () => {
    expect(words.filter((word) => [...toKey(word)].length === 1 && !/\p{Script=Han}/u.test(word))).toEqual(
      [],
    );
  });

  test('has broader words that are in another group and never lead back', () => {
    const broaderOf = new Map(groups.flatMap((group) => group.words.map((word) => [toKey(word), group])));
    for (const { words: list, broader } of groups) {
      let next = broader;
      for (let steps = 0; next !== undefined; steps++) {
        expect(steps, `steps up from ${list[0]}`).toBeLessThan(10);
        const group = broaderOf.get(toKey(next));
        expect(group, `group of ${next}`).toBeDefined();
        next = group?.broader;
      }
    }
  });
});

const FILE = new URL('../../../../server/features/catalogue/search/synonyms.txt', import.meta.url);

test('synonym-readings.txt has the readings of the words with kanji', { timeout: 20_000 }, async () => {
  const words = new Set(
    parseSynonyms(readFileSync(FILE, 'utf8'))
      .flatMap((group) => group.words)
      .filter((word) => /\p{Script=Han}/u.test(word)),
  );
  const dictionary = openDictionary();
  const read = await dictionary.read([...words]);
  await dictionary.close();
  const lines = [...words].flatMap((word, index) => {
    const kana = toKanaReading(read[index] ?? []);
    return kana === undefined ? [] : [`${word}\t${kana}\n`];
  });
  const file = new URL('../../../../server/features/catalogue/search/synonym-readings.txt', import.meta.url);
  // After a change of the words: UPDATE_READINGS=1 npx vitest run --project api synonyms
  if (process.env['UPDATE_READINGS'] === '1') writeFileSync(file, lines.join(''));
  expect(readFileSync(file, 'utf8')).toBe(lines.join(''));
});

describe.each(ruleDatabases)('the operator’s own on $name', ({ open }) => {
  test('are used from then on, also beside one that is not valid any more', async () => {
    const database = await open();
    onTestFinished(() => database.close());
    const api = createTestApi(database);
    const { keys } = await fillCatalogue(database, [{ key: 'cricket', title: 'すずむし' }]);
    const staff = await createUser(database, { username: 'st', email: 'st@example.test', is_staff: true });
    const find = async (search: string) => {
      const { results } = await api.json(`/api/sounds/?search=${search}`);
      return results.map(({ id }: { id: string }) => keys.get(id));
    };
    const odd = { id: 'odd', words: 'つづり, つづり', created_at: 0 };
    await database.db.insertInto('search_synonyms').values(odd).execute();
    expect(await find('bellring')).toEqual([]);
    await addSynonyms(api.deps, staff, 'すずむし, bellring');
    expect(await find('bellring')).toEqual(['cricket']);
  });
});
