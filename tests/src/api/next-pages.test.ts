import { beforeEach, describe, expect, it } from 'vitest';
import { type SoundQuery, listSounds } from '#contract/sounds/sounds.ts';
import { createClient } from '#src/api/client.ts';

const ORIGIN = 'http://host.test';
const SIZE = 20;
const asked: string[] = [];
beforeEach(() => void asked.splice(0));

/** How a host names the page that begins at this sound, and reads that name again. */
interface Naming {
  /** null: the host gives no next page. */
  name(start: number, query: URLSearchParams): string | null;
  read(query: URLSearchParams): number;
}

const BY_OFFSET: Naming = {
  name: (start) => `http://internal:8000/api/sounds/?limit=${SIZE}&offset=${start}`,
  read: (query) => Number(query.get('offset') ?? 0),
};
const BY_CURSOR: Naming = {
  name: (start, query) => `/api/sounds/?type=${query.get('type') ?? ''}&cursor=${btoa(`o=${start}`)}`,
  read: (query) => Number(atob(query.get('cursor') ?? btoa('o=0')).slice(2)),
};
/** Reads the number of a page, but names pages by offset. */
const BY_BOTH: Naming = {
  ...BY_OFFSET,
  read: (query) =>
    query.has('offset') ? Number(query.get('offset')) : (Number(query.get('page') ?? 1) - 1) * SIZE,
};

function hostOf(count: number, { name, read }: Naming, pageQueries = new Map<string, string>()) {
  const api = createClient({
    origin: ORIGIN,
    filesOrigin: '',
    retries: 'none',
    pageQueries,
    fetch: async (input) => {
      const url = new URL(String(input));
      asked.push(url.href.slice(ORIGIN.length));
      const start = read(url.searchParams);
      const ids = Array.from({ length: Math.max(0, Math.min(SIZE, count - start)) }, (_, at) => start + at);
      const end = start + SIZE;
      return Response.json({
        results: ids.map((id) => ({ id })),
        next: end < count ? name(end, url.searchParams) : null,
      });
    },
  });
  /** Own lists ask for their first page without a number. */
  const readPage = async (page: number, query: SoundQuery = {}) => {
    const isOwn = query.favorite === true && page === 1;
    const { results, next } = await api(listSounds, { query: { ...query, ...(!isOwn && { page }) } });
    return { first: results[0]?.id, length: results.length, next };
  };
  return { readPage, pageQueries };
}

describe.each([
  ['offset', BY_OFFSET],
  ['cursor', BY_CURSOR],
  ['offset, though it can count pages', BY_BOTH],
])('pages that a host names by %s', (_, naming) => {
  it('are read in order, one call each', async () => {
    const { readPage } = hostOf(50, naming);
    expect(await readPage(1)).toEqual({ first: '0', length: 20, next: 2 });
    expect(await readPage(2)).toEqual({ first: '20', length: 20, next: 3 });
    expect(await readPage(3)).toEqual({ first: '40', length: 10, next: null });
    expect(asked).toHaveLength(3);
  });

  it('are found by their number, also first and past the end', async () => {
    expect(await hostOf(90, naming).readPage(4)).toEqual({ first: '60', length: 20, next: 5 });
    expect(await hostOf(50, naming).readPage(9)).toMatchObject({ length: 0, next: null });
    expect(await hostOf(5, naming).readPage(1)).toEqual({ first: '0', length: 5, next: null });
  });

  it('are one call for a client that has the names of an earlier one', async () => {
    const { readPage, pageQueries } = hostOf(90, naming);
    for (const page of [1, 2]) await readPage(page);
    asked.splice(0);
    expect(await hostOf(90, naming, pageQueries).readPage(3)).toEqual({ first: '40', length: 20, next: 4 });
    expect(asked).toHaveLength(1);
  });

  it('keep the filters of the list, and one list does not use the names of another', async () => {
    const { readPage } = hostOf(50, naming);
    for (const page of [1, 2]) await readPage(page, { type: 'SE', favorite: true });
    expect(asked.every((address) => address.includes('type=SE') && address.includes('favorite=true'))).toBe(
      true,
    );
    expect(await readPage(2, { user: 'somebody' })).toMatchObject({ first: '20' });
  });
});

describe('a host', () => {
  it('is only asked at its own address, wherever its next page is', async () => {
    for (const next of [
      'http://169.254.169.254/latest/meta-data?cursor=1',
      '//elsewhere.test/?cursor=1',
      'file:///etc/passwd?cursor=1',
      '/api/account/profile/?cursor=1',
    ]) {
      const { readPage } = hostOf(50, { ...BY_OFFSET, name: () => next });
      for (const page of [1, 2]) await readPage(page);
    }
    expect(new Set(asked.map((address) => address.replace(/\?.*/, '')))).toEqual(new Set(['/api/sounds/']));
  });

  it('that names the same page for ever has an end', async () => {
    const { readPage } = hostOf(1000, { name: () => '?cursor=a', read: () => 0 });
    expect(await readPage(1)).toMatchObject({ next: 2 });
    expect(await readPage(2)).toMatchObject({ next: null });
  });

  it('is asked for a limited number of pages on the way to a far one, and further the next time', async () => {
    const { readPage } = hostOf(1000, BY_CURSOR);
    await expect(readPage(30)).rejects.toMatchObject({ status: 503, kind: 'unavailable' });
    expect(asked.length).toBeLessThan(30);
    expect(await readPage(30)).toMatchObject({ first: '580', next: 31 });
  });

  it('has a limited number of remembered names', async () => {
    const { readPage, pageQueries } = hostOf(50, BY_OFFSET);
    for (let user = 0; user < 1100; user += 1) await readPage(1, { user: String(user) });
    expect(pageQueries.size).toBe(1000);
  });
});
