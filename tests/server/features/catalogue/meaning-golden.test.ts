import { describe, expect, test } from 'vitest';
import { MEANING_QUERIES, MEANING_SOUNDS, QUERY_KINDS } from './meaning-golden.ts';
import { ndcg } from './ndcg.ts';

describe('ndcg', () => {
  const relevant = { a: 3, b: 2, c: 1 };

  test('is 1 for the best order', () => {
    expect(ndcg(['a', 'b', 'c', 'unknown'], relevant)).toBe(1);
  });

  test('discounts by place and counts what is missing', () => {
    // (1 / 1 + 7 / 1.58496) / (7 / 1 + 3 / 1.58496 + 1 / 2) = 5.41651 / 9.39279
    expect(ndcg(['c', 'a'], relevant)).toBeCloseTo(0.576_67, 5);
  });

  test('ignores results after the last place that counts', () => {
    // (3 / 1.58496) / (7 / 1 + 3 / 1.58496) = 1.89279 / 8.89279
    expect(ndcg(['unknown', 'b', 'a'], relevant, 2)).toBeCloseTo(0.212_845, 5);
  });

  test('is 1 only for an empty list when nothing is relevant', () => {
    expect(ndcg([], {})).toBe(1);
    expect(ndcg(['a'], {})).toBe(0);
  });
});

describe('the golden queries', () => {
  const keys = MEANING_SOUNDS.map(({ key }) => key);

  test('rate sounds of the catalogue', () => {
    expect(new Set(keys).size).toBe(keys.length);
    const rated = MEANING_QUERIES.flatMap(({ relevant }) => Object.keys(relevant));
    expect(rated.filter((key) => !keys.includes(key))).toEqual([]);
  });

  test('are distinct, and only those of kind none expect nothing', () => {
    expect(new Set(MEANING_QUERIES.map(({ query }) => query)).size).toBe(MEANING_QUERIES.length);
    const isEmpty = MEANING_QUERIES.filter(({ relevant }) => Object.keys(relevant).length === 0);
    expect(isEmpty).toEqual(MEANING_QUERIES.filter(({ kind }) => kind === 'none'));
  });

  test('are enough of each kind for an average', () => {
    expect(keys.length).toBeGreaterThanOrEqual(160);
    expect(MEANING_QUERIES.length).toBeGreaterThanOrEqual(170);
    const counts = QUERY_KINDS.map((kind) => MEANING_QUERIES.filter((golden) => golden.kind === kind).length);
    expect(Math.min(...counts)).toBeGreaterThanOrEqual(10);
    expect(MEANING_QUERIES.filter(({ kind }) => kind === 'literal').length).toBeGreaterThanOrEqual(25);
  });
});
