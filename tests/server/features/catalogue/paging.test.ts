import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RESULTS_REACHABLE } from '../../../../contract/listing-limits.ts';
import type { Database } from '../../../../server/platform/database/open.ts';
import { createTestApi } from '../../../support/api.ts';
import type { TestApi } from '../../../support/api.ts';
import { fillGenerated } from '../../../support/generated.ts';
import type { GeneratedSound } from '../../../support/generated.ts';
import { databases } from '../../../support/databases.ts';

const SOUNDS = RESULTS_REACHABLE + 2_500;

/** Enough sounds that no list is sorted as a whole. Every page is compared with a plain sort. */
describe.each(databases)('a listing longer than can be paged through, on $name', ({ open }) => {
  let database: Database;
  let api: TestApi;
  let sounds: readonly GeneratedSound[];

  beforeAll(async () => {
    database = await open();
    api = createTestApi(database);
    sounds = await fillGenerated(database, SOUNDS);
  }, 120_000);
  afterAll(() => database.close());

  type Key = (sound: GeneratedSound) => number;
  const byDownloads: Key = (sound) => sound.download_count;
  const byFavorites: Key = (sound) => sound.favorite_count;
  const byNewest: Key = () => 0;
  const byRelevance: Key = (sound) => (sound.isInTitle ? 1e12 : 0) + sound.popularity;

  const isPublic = (sound: GeneratedSound) => sound.is_published === 1;
  const isCommon = (sound: GeneratedSound) => isPublic(sound) && sound.isCommon;
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
  ])('keeps the whole order of %j', async (query, isIn, key) => {
    const expected = sounds
      .filter(isIn)
      .sort((a, b) => key(b) - key(a) || b.seq - a.seq)
      .slice(0, RESULTS_REACHABLE)
      .map((sound) => sound.id);
    const pageSize = 100;
    const pages = Math.ceil(expected.length / pageSize);
    for (const page of [1, 2, 7, pages - 1, pages]) {
      const reply = await api.json(`/api/sounds/?page_size=${pageSize}&page=${page}&${query}`);
      expect(reply.count).toBe(expected.length);
      expect(reply.results.map((sound: { id: string }) => sound.id)).toEqual(
        expected.slice((page - 1) * pageSize, page * pageSize),
      );
      expect(reply.next === null).toBe(page === pages);
    }
  });

  test('ends at the last reachable result, and says so', async () => {
    const lastPage = RESULTS_REACHABLE / 20;
    const last = await api.json(`/api/sounds/?page=${lastPage}`);
    expect(last).toMatchObject({ next: null, count: RESULTS_REACHABLE, count_is_capped: true });
    expect(last.results).toHaveLength(20);
    expect(await api.json(`/api/sounds/?page=${lastPage + 1}`)).toMatchObject({ results: [], next: null });
  });
});
