import { setImmediate } from 'node:timers/promises';
import { afterAll, describe, expect, test } from 'vitest';
import { closeQueryWords } from '#server/features/catalogue/search/query-words.ts';
import { findTyped, toFoldedParts } from '#server/features/catalogue/search/typed-words.ts';
import { understand } from '#server/features/catalogue/search/understanding.ts';
import type { Database } from '#server/platform/database/open.ts';
import { createProcessorMeter } from '#server/platform/limits/processor-time.ts';
import { openTestDatabase } from '#support/databases/databases.ts';
import { resolve } from '#support/delegate.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';

const empty = useDatabaseOnce(() => openTestDatabase('sqlite'));
afterAll(closeQueryWords);

/** A database that counts the questions of repairs, and how many are under way at a time. */
function watchQuestions() {
  const state = { asked: 0, underWay: 0, most: 0 };
  const { search, ...others } = resolve<Database>(empty);
  const database: Database = {
    ...others,
    search: {
      ...search,
      async count(db, expression, cap) {
        // Others ask for more than one row.
        if (cap > 1) return search.count(db, expression, cap);
        state.asked += 1;
        state.most = Math.max(state.most, (state.underWay += 1));
        await setImmediate();
        state.underWay -= 1;
        return 0;
      },
    },
  };
  return { state, database };
}

/** A text of random kana that nothing is like. */
function toNonsense(seed: number, length: number): string {
  return Array.from({ length }, (_, at) =>
    String.fromCharCode(0x3042 + ((seed * 37 + at * at * 11) % 80)),
  ).join('');
}

describe('a search that finds nothing', () => {
  test('P20 asks the index a bounded number of questions, whatever is typed', async () => {
    const { state, database } = watchQuestions();
    const words = (count: number, length: number) =>
      Array.from({ length: count }, (_, at) => toNonsense(at, length)).join(' ');
    for (const text of [toNonsense(1, 100), words(11, 8), words(20, 4), words(33, 2), 'qzxvw '.repeat(16)]) {
      state.asked = 0;
      await understand(database, text);
      expect(state.asked, text).toBeLessThanOrEqual(25);
      expect(state.asked, text).toBeGreaterThan(0);
    }
  });

  test('P20 is repaired one at a time for each network', async () => {
    const { state, database } = watchQuestions();
    const { measure } = createProcessorMeter();
    const ask = (address: string, seed: number) =>
      measure(
        address,
        () => understand(database, toNonsense(seed, 12)),
        () => undefined,
      );
    const network = Array.from({ length: 8 }, (_, at) => ask(`2001:db8:7:${at}::1`, 10 + at));
    await Promise.all(network);
    expect(state.most).toBe(1);
    await Promise.all([
      ...Array.from({ length: 4 }, (_, at) => ask(`2001:db8:7:${at}::1`, 20 + at)),
      ask('203.0.113.1', 30),
      ask('198.51.100.1', 31),
    ]);
    expect(state.most).toBe(3);
  });
});

test.each([
  ['ﾋﾟｱﾉ 雨', 'ぴあの', 'ﾋﾟｱﾉ'],
  ['静か Ｒａｉｎ　Day', 'rain day', 'Ｒａｉｎ　Day'],
  ['ジョン・スミス', 'じょんすみす', 'ジョン・スミス'],
  ['時々', '時時', '時々'],
  ['雨', '風', '風'],
])('of %j, %s is named as it was typed', (text, word, typed) => {
  expect(findTyped(toFoldedParts(text), word)).toBe(typed);
});
