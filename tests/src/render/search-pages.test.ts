import { afterEach, describe, expect, it, vi } from 'vitest';
import { ApiError } from '#contract/calls/errors.ts';
import { createClient } from '#src/api/client.ts';
import { createFindSounds } from '#src/render/find-sounds.ts';
import { parseSoundFilters } from '#src/lib/sound-filters.ts';

const CLIENT = { origin: 'http://host.test', filesOrigin: '', retries: 'none' } as const;

interface HostSound {
  readonly id: number;
  readonly title: string;
  readonly description?: string;
  readonly artist_name?: string;
}

/** A host of spec §7 only, with its own page size. Past the end it answers as Django does. */
function hostOf(sounds: readonly HostSound[], pageSize = 100) {
  const queries: string[] = [];
  const api = createClient({
    ...CLIENT,
    fetch: async (input) => {
      const { search, searchParams } = new URL(String(input));
      queries.push(search);
      const page = Number(searchParams.get('page') ?? 1);
      const results = sounds.slice((page - 1) * pageSize, page * pageSize);
      if (results.length === 0 && page > 1)
        return Response.json({ detail: 'Invalid page.' }, { status: 404 });
      return Response.json({ results, next: page * pageSize < sounds.length ? page + 1 : null });
    },
  });
  return { api, queries, find: createFindSounds(api, false, new Map()) };
}

const filtersOf = (query: string) => parseSoundFilters(new URLSearchParams(query));
const numbered = (count: number): HostSound[] =>
  Array.from({ length: count }, (_, index) => ({ id: index, title: `Tone ${index}` }));

afterEach(() => void vi.useRealTimers());

describe('a search on a host without one', () => {
  it('reuses the pages that the search of another visitor has read', async () => {
    const { api, queries } = hostOf(numbered(3));
    const replies = new Map();
    for (const word of ['Tone 1', 'Tone 2']) {
      const find = createFindSounds(api, false, replies);
      expect((await find(filtersOf(`search=${word}`), 1)).results).toHaveLength(1);
    }
    expect(queries).toHaveLength(1);
  });

  const { find, queries } = hostOf([
    { id: 1, title: '雨の夜', artist_name: 'somebody' },
    { id: 2, title: 'Rain', description: '静かな雨の音。' },
    { id: 3, title: 'Wind', artist_name: '雨宮' },
    { id: 4, title: 'Wind' },
  ]);

  it('matches titles, descriptions and artists, with only the query names of spec §7', async () => {
    const { results, count, next, searchedCount } = await find(filtersOf('search=雨&type=SE'), 1);
    expect(results.map(({ id }) => id)).toEqual(['1', '2', '3']);
    expect({ count, next, searchedCount }).toEqual({ count: 3, next: null, searchedCount: undefined });
    expect(queries).toEqual(['?page=1&type=SE&page_size=100']);
  });

  it('requires all words, in any width and case', async () => {
    const found = async (text: string) =>
      (await find(filtersOf(`search=${encodeURIComponent(text)}`), 1)).results.map(({ id }) => id);
    expect(await found('ＲＡＩＮ 静か')).toEqual(['2']);
    expect(await found('win')).toEqual(['3', '4']);
    expect(await found('嵐')).toEqual([]);
    expect(await found('!?')).toEqual([]);
  });

  it('reads at most five pages, reports how many sounds these were, and pages through the matches', async () => {
    const host = hostOf(numbered(600));
    const first = await host.find(filtersOf('search=tone'), 1);
    expect(first).toMatchObject({ count: 500, next: 2, searchedCount: 500 });
    const second = await host.find(filtersOf('search=tone'), 2);
    expect(second.results.map(({ id }) => id)).toEqual(
      numbered(600)
        .slice(20, 40)
        .map(({ id }) => String(id)),
    );
    expect(host.queries).toHaveLength(5);
  });

  it('waits for two calls at most, and asks for no page past the count of the host', async () => {
    const rounds: number[][] = [];
    const api = createClient({
      ...CLIENT,
      fetch: async (input) => {
        const page = Number(new URL(String(input)).searchParams.get('page'));
        if (rounds.length === 0 || page === 2) rounds.push([]);
        rounds.at(-1)?.push(page);
        const results = numbered(100).map(({ id, title }) => ({ id: page * 100 + id, title }));
        return Response.json({ results, next: page < 4 ? page + 1 : null, count: 400 });
      },
    });
    const found = await createFindSounds(api, false, new Map())(filtersOf('search=tone'), 1);
    expect(found).toMatchObject({ count: 400, searchedCount: undefined });
    expect(rounds).toEqual([[1], [2, 3, 4]]);
  });

  it('is repeated after a minute, and after a failure at once', async () => {
    vi.useFakeTimers({ toFake: ['Date'] });
    const host = hostOf(numbered(3));
    for (const afterMs of [0, 59_000, 2_000]) {
      vi.setSystemTime(Date.now() + afterMs);
      await host.find(filtersOf('search=tone'), 1);
    }
    expect(host.queries).toHaveLength(2);
    let calls = 0;
    const failing = createFindSounds(
      async () => {
        calls += 1;
        throw new ApiError(500, []);
      },
      false,
      new Map(),
    );
    for (let tries = 0; tries < 2; tries += 1) {
      await expect(failing(filtersOf('search=tone'), 1)).rejects.toThrow(ApiError);
    }
    expect(calls).toBe(2);
  });
});

describe('a page of a listing', () => {
  it('is empty past the end, where a host answers 404', async () => {
    const { find } = hostOf(numbered(3));
    expect(await find(filtersOf(''), 2)).toMatchObject({ results: [], next: null });
  });

  it('has no links to others if the host counts sounds of which none is readable', async () => {
    const api = createClient({
      ...CLIENT,
      warn: () => undefined,
      fetch: async () => Response.json({ results: [{ title: 'No id' }], next: '?page=2', count: 900 }),
    });
    const find = createFindSounds(api, false, new Map());
    expect(await find(filtersOf(''), 1)).toMatchObject({ results: [], next: null, count: 0 });
  });

  it('is requested without a size', async () => {
    const { find, queries } = hostOf(numbered(30), 10);
    expect((await find(filtersOf('page=2&ordering=-downloads&sub_genres=1'), 2)).results).toHaveLength(10);
    expect(queries).toEqual(['?page=2']);
  });
});
