import { describe, expect, test } from 'vitest';
import { bothDatabases } from '#support/databases/databases.ts';
import { rateSearch, summarise } from './rate-search.ts';
import type { RatedQuery } from './rate-search.ts';

/**
 * The least mean nDCG@10 by kind of query, a little below what `node bench/search-quality.ts` prints. Without readings and
 * synonyms: reading 0.01, romaji 0, synonym 0.26, okurigana 0.13, combined 0, literal 0.97.
 */
const LEAST = {
  reading: 0.89,
  romaji: 0.94,
  synonym: 0.76,
  okurigana: 0.81,
  combined: 0.96,
  literal: 0.98,
  none: 1,
};
/** The greatest share of queries that find nothing although something is relevant. */
const NOTHING_MOST = 0.04;

const rated: RatedQuery[][] = [];

describe.each(bothDatabases)('search by meaning on $name', ({ open }) => {
  test('finds what visitors mean', { timeout: 30_000 }, async () => {
    const queries = await rateSearch(await open());
    rated.push(queries);
    const kinds = summarise(queries);
    const low = Object.entries(LEAST).filter(([kind, least]) => (kinds.get(kind)?.ndcg ?? 0) < least);
    expect(low).toEqual([]);
    const answerable = queries.filter(({ kind }) => kind !== 'none');
    const unanswered = answerable.filter(({ found }) => found.length === 0);
    expect(unanswered.length / answerable.length).toBeLessThan(NOTHING_MOST);
  });
});

test('every database gives the same answers', () => {
  const answers = rated.map((queries) => queries.map(({ query, found }) => [query, found]));
  expect(answers).toHaveLength(bothDatabases.length);
  for (const each of answers) expect(each).toEqual(answers[0]);
});
