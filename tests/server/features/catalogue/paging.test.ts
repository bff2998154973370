import { beforeAll, describe, expect, test } from 'vitest';
import { type FactCount, FACT_COUNT_MAX } from '#contract/sounds/fact-counts.ts';
import { RESULTS_REACHABLE } from '#contract/sounds/listing-limits.ts';
import { MOODS } from '#contract/sounds/sound-facts.ts';
import { countFacts } from '#server/features/catalogue/listing/fact-counts.ts';
import { countCached } from '#server/platform/database/statements/cached.ts';
import { useApiOnce } from '#support/http/use-api.ts';
import { type GeneratedSound, fillGenerated } from './generated.ts';
import { ruleDatabases } from '#support/databases/databases.ts';

const SOUNDS = RESULTS_REACHABLE + 2_500;

/** Enough sounds that no list is sorted as a whole. Every page is compared with a plain sort. */
describe.each(ruleDatabases)('a listing longer than can be paged through, on $name', ({ open }) => {
  const { database, api } = useApiOnce(open);
  let sounds: readonly GeneratedSound[];

  beforeAll(async () => {
    sounds = await fillGenerated(database, SOUNDS);
  }, 120_000);

  type Key = (sound: GeneratedSound) => number;
  const byDownloads: Key = (sound) => sound.download_count;
  const byFavorites: Key = (sound) => sound.favorite_count;
  const byNewest: Key = () => 0;
  const byRelevance: Key = (sound) => (sound.isInTitle ? 1e12 : 0) + sound.popularity;

  const isPublic = (sound: GeneratedSound) => sound.is_published === 1;
  const isCommon = (sound: GeneratedSound) => isPublic(sound) && sound.isCommon;
  const isAiAndCommon = (sound: GeneratedSound) => isCommon(sound) && sound.is_ai_generated === 1;
  const isHuman = (sound: GeneratedSound) => isPublic(sound) && sound.is_ai_generated === 0;

  test.each<[query: string, isIn: (sound: GeneratedSound) => boolean, key: Key]>([
    ['', isPublic, byNewest],
    ['ordering=-downloads', isPublic, byDownloads],
    ['ordering=-favorites', isPublic, byFavorites],
    ['is_ai_generated=false', isHuman, byNewest],
    ['is_ai_generated=false&ordering=-downloads', isHuman, byDownloads],
    ['is_ai_generated=false&ordering=-favorites', isHuman, byFavorites],
    ['search=共通', isCommon, byRelevance],
    ['search=共通&ordering=-created', isCommon, byNewest],
    ['search=共通&ordering=-downloads', isCommon, byDownloads],
    ['search=共通&ordering=-favorites', isCommon, byFavorites],
    // Few enough to be sorted as a whole.
    ['is_ai_generated=true&search=共通', isAiAndCommon, byRelevance],
    ['is_ai_generated=true&search=共通&ordering=-created', isAiAndCommon, byNewest],
    ['is_ai_generated=true&search=共通&ordering=-downloads', isAiAndCommon, byDownloads],
  ])('keeps the whole order of %j', async (query, isIn, key) => {
    const expected = sounds
      .filter(isIn)
      .sort((a, b) => key(b) - key(a) || b.seq - a.seq)
      .slice(0, RESULTS_REACHABLE)
      .map((sound) => sound.id);
    const pageSize = 100;
    const pages = Math.ceil(expected.length / pageSize);
    for (const page of new Set([1, 2, Math.min(7, pages), pages - 1, pages])) {
      const reply = await api.json(`/api/sounds/?page_size=${pageSize}&page=${page}&${query}`);
      expect(reply.count).toBe(expected.length);
      expect(reply.results.map((sound: { id: string }) => sound.id)).toEqual(
        expected.slice((page - 1) * pageSize, page * pageSize),
      );
      expect(reply.next === null).toBe(page === pages);
    }
  });

  const isOfAi = ({ filter }: FactCount) => filter === 'is_ai_generated';
  const countsOf = (found: readonly GeneratedSound[], is_capped: boolean) =>
    [1, 0].map((flag) => ({
      filter: 'is_ai_generated',
      value: String(flag === 1),
      count: Math.min(found.filter((sound) => sound.is_ai_generated === flag).length, FACT_COUNT_MAX),
      is_capped:
        is_capped || found.filter((sound) => sound.is_ai_generated === flag).length >= FACT_COUNT_MAX,
    }));

  test('counts the values of filters up to a limit', async () => {
    const all = await api.json('/api/sounds/fact-counts/');
    expect(all.results.filter(isOfAi)).toEqual(countsOf(sounds.filter(isPublic), false));
    const found = await api.json('/api/sounds/fact-counts/?search=共通');
    const newest = sounds.filter(isCommon).slice(-FACT_COUNT_MAX);
    expect(found.results.filter(isOfAi)).toEqual(countsOf(newest, true));
  });

  test('keeps the counts of broad queries apart from what every page needs', async () => {
    for (const one of MOODS) {
      for (const other of MOODS.slice(0, 3)) await countFacts(database, { '-mood': [one, other] }, () => 0);
    }
    expect(countCached(database)).toBeLessThan(20);
  });

  test('leaves out what it cannot count in time', async () => {
    let milliseconds = 0;
    const counts = await countFacts(database, {}, () => (milliseconds += 50));
    const filters = new Set(counts.map(({ filter }) => filter));
    expect([...filters].slice(0, 2)).toEqual(['loopable', 'vocals']);
    expect(filters.has('key')).toBe(false);
  });

  test('counts everything in the hits of a slow search', async () => {
    let milliseconds = 0;
    const query = { search: '曲' };
    const counts = await countFacts(database, query, () => (milliseconds += 1000));
    expect(counts).toEqual(await countFacts(database, query, () => 0));
    expect(new Set(counts.map(({ filter }) => filter))).toContain('key');
  });

  test('ends at the last reachable result, and says so', async () => {
    const lastPage = RESULTS_REACHABLE / 20;
    const last = await api.json(`/api/sounds/?page=${lastPage}`);
    expect(last).toMatchObject({ next: null, count: RESULTS_REACHABLE, count_is_capped: true });
    expect(last.results).toHaveLength(20);
    expect(await api.json(`/api/sounds/?page=${lastPage + 1}`)).toMatchObject({ results: [], next: null });
  });
});
