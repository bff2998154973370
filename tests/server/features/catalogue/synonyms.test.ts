import { describe, expect, onTestFinished, test } from 'vitest';
import { parseSynonyms } from '#server/features/catalogue/search/synonyms.ts';
import { addSynonyms } from '#server/features/catalogue/search/own-synonyms.ts';
import { createUser } from '#server/features/accounts/users.ts';
import { createTestApi } from '#support/http/api.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { ruleDatabases } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';

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
    await everyTable(database.db).insertInto('search_synonyms').values(odd).execute();
    expect(await find('bellring')).toEqual([]);
    await addSynonyms(api.deps, staff, 'すずむし, bellring');
    expect(await find('bellring')).toEqual(['cricket']);
  });
});
