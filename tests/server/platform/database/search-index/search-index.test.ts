import { beforeAll, describe, expect, test } from 'vitest';
import type { SearchExpression } from '#server/platform/database/search-index/search-expression.ts';
import { useDatabaseOnce } from '#support/databases/use-database.ts';
import { fillCatalogue } from '#support/sounds/catalogue.ts';
import { bothDatabases, updateRows } from '#support/databases/databases.ts';

/** Spread widely enough that windows of every size are used. */
const SEQS = Array.from({ length: 160 }, (_, index) => (index + 1) * 4_000);
const NEWEST_FIRST = SEQS.toReversed();

describe.each(bothDatabases)('the search index on $name', ({ open }) => {
  const database = useDatabaseOnce(open);

  beforeAll(async () => {
    for (const [index, seq] of SEQS.entries()) {
      const tokens = [
        'xall',
        index % 2 === 0 ? 'xeven' : 'xodd',
        ...(index % 3 === 0 ? ['xthird'] : []),
        ...(index % 5 === 0 ? ['xfifth'] : []),
        ...(index < 3 ? ['xold'] : []),
      ];
      await database.search.put(database.db, seq, tokens);
    }
  });

  const isOdd = (seq: number) => SEQS.indexOf(seq) % 2 === 1;

  test.each([1, 5, 11, 12, 13, 30, 31, 90, 100, 160, 500])('finds the newest %i', async (limit) => {
    const { db, search } = database;
    expect(await search.newest(db, 'xall', limit)).toEqual(NEWEST_FIRST.slice(0, limit));
    expect(await search.newest(db, { one: 'xall', not: 'xeven' }, limit)).toEqual(
      NEWEST_FIRST.filter(isOdd).slice(0, limit),
    );
    expect(await search.newest(db, 'xold', limit)).toEqual(SEQS.slice(0, 3).toReversed().slice(0, limit));
  });

  test.each([
    [4, 'read'],
    [160, 'read'],
    [160, 'asked'],
  ])('puts those of %i seqs that match better first, %s', async (seqs, way) => {
    const { db, search } = database;
    const given = SEQS.slice(0, seqs);
    const toPart = (seq: number) => (SEQS.indexOf(seq) < 3 ? 0 : isOdd(seq) ? 1 : 2);
    const expected = given.toSorted((a, b) => toPart(a) - toPart(b));
    const better = [{ any: ['xold', 'xnone'] }, { all: ['xall', 'xodd'] }, 'xold'].map((expression) => ({
      expression,
      ...(way === 'asked' && { narrow: { all: ['xall', expression] } }),
    }));
    expect(await search.partition(db, given, better, 500)).toEqual(expected);
    expect(await search.partition(db, given, better, 4)).toEqual(expected.slice(0, 4));
    expect(await search.partition(db, given, [], 4)).toEqual(given.slice(0, 4));
    expect(await search.partition(db, [], better, 4)).toEqual([]);
  });

  test.each([1, 5, 12, 13, 31, 100, 160, 161, 500])('counts up to %i', async (cap) => {
    const { db, search } = database;
    expect(await search.count(db, 'xall', cap)).toBe(Math.min(160, cap));
    expect(await search.count(db, { all: ['xall', { any: ['xodd', 'xold'] }] }, cap)).toBe(Math.min(82, cap));
    expect(await search.count(db, 'xnone', cap)).toBe(0);
  });

  test.each<[expression: SearchExpression, isHit: (index: number) => boolean]>([
    [{ all: ['xall', { all: ['xodd', 'xthird'] }] }, (index) => index % 2 === 1 && index % 3 === 0],
    [{ any: ['xold', { all: ['xeven', 'xthird'] }] }, (index) => index < 3 || index % 6 === 0],
    [{ any: [{ all: ['xeven', 'xthird'] }, 'xold'] }, (index) => index < 3 || index % 6 === 0],
    [
      { any: ['xold', { all: ['xeven', 'xthird'] }, { all: ['xodd', 'xfifth'] }] },
      (index) => index < 3 || index % 6 === 0 || (index % 2 === 1 && index % 5 === 0),
    ],
    [
      { one: { all: ['xall', { any: ['xold', { all: ['xeven', 'xthird'] }] }] }, not: 'xfifth' },
      (index) => (index < 3 || index % 6 === 0) && index % 5 !== 0,
    ],
    [
      { one: { all: ['xthird', 'xeven'] }, not: { any: ['xold', { all: ['xall', 'xfifth'] }] } },
      (index) => index % 6 === 0 && index >= 3 && index % 5 !== 0,
    ],
    [
      { any: ['xold', { one: { all: ['xall', 'xthird'] }, not: 'xeven' }] },
      (index) => index < 3 || (index % 3 === 0 && index % 2 === 1),
    ],
    [
      {
        any: [
          { one: 'xeven', not: 'xthird' },
          { one: 'xthird', not: 'xeven' },
        ],
      },
      (index) => (index % 2 === 0) !== (index % 3 === 0),
    ],
  ])('answers %j', async (expression, isHit) => {
    const { db, search } = database;
    const expected = NEWEST_FIRST.filter((seq) => isHit(SEQS.indexOf(seq)));
    expect(await search.newest(db, expression, 500)).toEqual(expected);
    expect(await search.newest(db, expression, 5)).toEqual(expected.slice(0, 5));
    expect(await search.count(db, expression, 500)).toBe(expected.length);
  });

  test('replaces a sound’s tokens, and removes those of a deleted sound', async () => {
    const { db, search } = database;
    await search.put(db, 9_999_999, ['xnew']);
    await search.put(db, 9_999_999, ['xother']);
    expect(await search.count(db, 'xnew', 10)).toBe(0);
    expect(await search.newest(db, 'xother', 10)).toEqual([9_999_999]);
    await search.remove(db, 9_999_999);
    expect(await search.newest(db, 'xother', 10)).toEqual([]);
  });

  test('finds a sound that was just added with an id far above the newest one', async () => {
    const { db, search } = database;
    await search.put(db, 9_000_000, ['xall', 'xfar']);
    expect(await search.newest(db, 'xall', 3)).toEqual([9_000_000, ...NEWEST_FIRST.slice(0, 2)]);
    expect(await search.count(db, { all: ['xall', 'xfar'] }, 5)).toBe(1);
    await search.remove(db, 9_000_000);
    expect(await search.newest(db, 'xall', 3)).toEqual(NEWEST_FIRST.slice(0, 3));
  });

  test('refuses a token with quotes, spaces or query syntax', async () => {
    const { db, search } = database;
    for (const token of ['x"', "x'", 'x y', 'x*', 'x\\', 'x\0']) {
      await expect((async () => search.count(db, token, 1))()).rejects.toThrow('not a search token');
    }
  });
});

test.each(bothDatabases)('the search index on $name orders and filters by current rows', async ({ open }) => {
  const database = await open();
  try {
    const { db, search } = database;
    await fillCatalogue(database, [
      { key: 'first', title: '雨', downloads: 5 },
      { key: 'second', title: '雨', downloads: 7 },
      { key: 'third', title: '雨', downloads: 5, type: '効果音' },
    ]);
    const highest = (type_id?: number) => search.highest(db, 'x雨', { type_id }, 'download_count', 10);
    expect(await highest()).toEqual([2, 3, 1]);
    await updateRows({ db }, 'sounds', { download_count: 6 }, { seq: 1 });
    expect(await highest()).toEqual([2, 1, 3]);
    expect(await highest(1)).toEqual([2, 1]);
    await updateRows({ db }, 'sounds', { type_id: 2, download_count: 9 }, { seq: 1 });
    expect(await highest(2)).toEqual([1, 3]);
  } finally {
    await database.close();
  }
});
