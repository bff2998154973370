import { describe, expect, test } from 'vitest';
import { type Dictionary, openDictionary } from '#server/features/catalogue/search/dictionary.ts';
import { parseQuery } from '#server/features/catalogue/search/query.ts';
import { insertUnpronounced } from '#server/features/catalogue/search/pronunciation-queries.ts';
import { pronounceSounds } from '#server/features/catalogue/search/pronouncing.ts';
import { selectSearchDocument } from '#server/features/catalogue/search/documents.ts';
import { compareSearchIndex } from '#server/features/catalogue/search/comparing.ts';
import { createSound, indexSound } from '#server/features/catalogue/service.ts';
import { toSearchTokens } from '#server/features/catalogue/search/tokens.ts';
import { createLog } from '#server/platform/log.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createTestApi } from '#support/http/api.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { bothDatabases, getRow, listRows, updateRows } from '#support/databases/databases.ts';
import { everyTable } from '#server/platform/database/schema.ts';
import type { Handle } from '#server/platform/database/handle.ts';

/** Knows a few words, and does with every other text what the test says. */
function createFakeDictionary(
  otherwise: (text: string) => Promise<void> = () => Promise.resolve(),
): Dictionary {
  const known: Readonly<Record<string, string>> = { 鵺: 'ヌエ', 暦: 'コヨミ', 梢: 'コズエ' };
  return {
    read: (texts) =>
      Promise.all(
        texts.map(async (text) => {
          const reading = known[text];
          if (reading === undefined && text !== '') await otherwise(text);
          return [{ surface: text, base: text, reading, isContent: true }];
        }),
      ),
    close: () => Promise.resolve(),
  };
}

describe.each(bothDatabases)('the pronunciations of sounds on $name', ({ open }) => {
  async function start(titles: readonly string[]) {
    const database = await open();
    const sounds = titles.map((title) => ({ key: title, title }));
    const { idOf } = await fillCatalogue(database, sounds);
    const lines: string[] = [];
    let changes = 0;
    const deps = {
      database,
      logger: createLog('info', { write: (line) => void lines.push(line) }),
      catalogueChanged: () => void (changes += 1),
    };
    const api = createTestApi(database);
    return {
      deps,
      lines,
      idOf,
      countChanges: () => changes,
      async find(query: string): Promise<string[]> {
        const { results } = await api.json(`/api/sounds/?search=${encodeURIComponent(query)}`);
        return results.map(({ title }: { title: string }) => title);
      },
    };
  }
  const countUnpronounced = async (database: Database) =>
    (await listRows(database, 'unpronounced_sounds', {}, ['sound_seq'])).length;
  const rename = (database: Database, from: string, title: string) =>
    database.db.transaction().execute(async (transaction: Handle) => {
      const { seq } = await everyTable(transaction)
        .updateTable('sounds')
        .set({ title })
        .where('title', '=', from)
        .returning('seq')
        .executeTakeFirstOrThrow();
      await indexSound(database, transaction, seq);
    });

  test('are left alone while a sound is deleted, and read once it is back', async () => {
    const { deps, find } = await start(['鵺']);
    const { db } = deps.database;
    const read = () => pronounceSounds(deps, undefined, createFakeDictionary);
    await updateRows({ db }, 'sounds', { deleted_at: 1 });
    expect(await read()).toBe(0);
    expect(await countUnpronounced(deps.database)).toBe(1);
    await updateRows({ db }, 'sounds', { deleted_at: null });
    expect(await read()).toBe(1);
    expect(await find('ぬえ')).toEqual(['鵺']);
  });

  test('are read again with the lengths of sounds from before lengths; until then the doctor does not mind', async () => {
    const { deps, idOf } = await start(['鵺']);
    const { database } = deps;
    const api = createTestApi(database);
    const count = async () => (await api.json('/api/sounds/?length=0-10')).count as number;
    const faults = async () => Array.fromAsync(compareSearchIndex(database), ({ kind }) => kind);
    await pronounceSounds(deps, undefined, createFakeDictionary);
    expect([await count(), await faults()]).toEqual([1, []]);
    const { seq } = await getRow(database, 'sounds', { id: idOf('鵺') });
    const known = await selectSearchDocument(database.db, seq);
    if (known === undefined) throw new Error('the sound is missing');
    const before = toSearchTokens({ ...known, facts: { ...known.facts, length: [] } });
    await database.search.put(database.db, seq, before);
    expect([await count(), await faults()]).toEqual([0, ['outdated']]);
    await insertUnpronounced(database.db, seq);
    expect(await faults()).toEqual([]);
    expect(await pronounceSounds(deps, undefined, createFakeDictionary)).toBe(1);
    expect([await count(), await faults()]).toEqual([1, []]);
  });

  test('are found once they are read, and follow a change of the title', async () => {
    const { deps, find, countChanges } = await start(['鵺', '暦']);
    expect(await find('ぬえ')).toEqual([]);
    expect(await pronounceSounds(deps, undefined, createFakeDictionary)).toBe(2);
    expect(await find('ぬえ')).toEqual(['鵺']);
    expect([await pronounceSounds(deps), countChanges()]).toEqual([0, 1]);
    await rename(deps.database, '鵺', '梢');
    expect([await find('ぬえ'), await find('こずえ')]).toEqual([[], []]);
    expect(await pronounceSounds(deps, undefined, createFakeDictionary)).toBe(1);
    expect([await find('ぬえ'), await find('こずえ')]).toEqual([[], ['梢']]);
    expect(await Array.fromAsync(compareSearchIndex(deps.database))).toEqual([]);
  });

  test('of a sound that changes while it is read are read again', async () => {
    const { deps, find } = await start(['鵺']);
    let hasChanged = false;
    const dictionary = createFakeDictionary(async () => {
      if (hasChanged) return;
      hasChanged = true;
      await rename(deps.database, '鵺', '暦');
    });
    expect(await pronounceSounds(deps, undefined, () => dictionary)).toBe(1);
    expect([await find('ぬえ'), await find('こよみ')]).toEqual([[], ['暦']]);
  });

  test('are empty for a sound whose words the dictionary cannot find, and the others have theirs', async () => {
    const { deps, find, lines } = await start(['鵺', '壊', '暦']);
    const dictionary = createFakeDictionary((text) =>
      text === '壊' ? Promise.reject(new Error('damaged')) : Promise.resolve(),
    );
    expect(await pronounceSounds(deps, undefined, () => dictionary)).toBe(3);
    expect([await find('ぬえ'), await find('こよみ'), await find('壊')]).toEqual([['鵺'], ['暦'], ['壊']]);
    expect(lines.filter((line) => line.includes('failed to find the pronunciations'))).toHaveLength(1);
    expect(await countUnpronounced(deps.database)).toBe(0);
  });

  test('stay to be read after an interruption, and are read once by two callers', async () => {
    const { deps } = await start(['鵺', '暦']);
    expect(await pronounceSounds(deps, AbortSignal.abort(), createFakeDictionary)).toBe(0);
    expect(await countUnpronounced(deps.database)).toBe(2);
    const both = await Promise.all([
      pronounceSounds(deps, undefined, createFakeDictionary),
      pronounceSounds(deps, undefined, createFakeDictionary),
    ]);
    expect(both.toSorted()).toEqual([0, 2]);
  });

  test('of a private sound are found by its artist only', async () => {
    const { deps, find, idOf } = await start(['暦']);
    const { artist_id, type_id } = await getRow(deps.database, 'sounds', { id: idOf('暦') });
    const file = { filename: 'a.mp3', audio_key: 'f'.repeat(64), audio_mime: 'audio/mpeg', audio_size: 1 };
    await createSound(deps.database, { ...file, artist_id, type_id, title: '鵺', is_published: false });
    await pronounceSounds(deps, undefined, createFakeDictionary);
    expect(await find('ぬえ')).toEqual([]);
    const own = '/api/sounds/?search=ぬえ&include_private=true&user=音工房';
    const { results } = await createTestApi(deps.database).json(encodeURI(own), artist_id);
    expect(results).toMatchObject([{ title: '鵺' }]);
  });
});

test('the dictionary reads words, gives up after its time, and starts again', async () => {
  const dictionary = openDictionary();
  const [words] = await dictionary.read(['海辺の足音 No.3']);
  expect(words?.map(({ surface, reading, isContent }) => [surface, reading, isContent])).toEqual([
    ['海辺', 'ウミベ', true],
    ['の', 'ノ', false],
    ['足音', 'アシオト', true],
    ...['No', '.', '3'].map((mark) => [mark, undefined, expect.any(Boolean)]),
  ]);
  await dictionary.close();
  expect((await dictionary.read(['雨']))[0]?.[0]?.reading).toBe('アメ');
  await dictionary.close();
  const hasty = openDictionary(1);
  await expect(hasty.read(['雨'])).rejects.toThrow('in time');
  await expect(hasty.read(['雨'])).rejects.toThrow('in time');
  await hasty.close();
});

test.each([
  ['雨 夜', { words: '雨 夜', phrases: [], excluded: [] }],
  ['雨 -夜', { words: '雨', phrases: [], excluded: [{ text: '夜', isPhrase: false }] }],
  [
    '雨　－夜 ー朝 −昼',
    { words: '雨', phrases: [], excluded: ['夜', '朝', '昼'].map((text) => ({ text, isPhrase: false })) },
  ],
  ['lo-fi サーバー - --', { words: 'lo-fi サーバー - --', phrases: [], excluded: [] }],
  [
    '"静かな 部屋" -＂夜の雨＂',
    { words: '', phrases: ['静かな 部屋'], excluded: [{ text: '夜の雨', isPhrase: true }] },
  ],
  ['雨"の日', { words: '雨', phrases: ['の日'], excluded: [] }],
])('the query %s is read in its parts', (text, parts) => {
  expect(parseQuery(text)).toEqual(parts);
});
