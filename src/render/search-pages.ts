import { PAGE_SIZE_DEFAULT, PAGE_SIZE_MAX } from '../../contract/sounds/listing-limits.ts';
import {
  type SearchTerm,
  toNameTokens,
  toSearchTerms,
  toTextTokens,
} from '../../contract/search/search-tokens.ts';
import type { Sound, SoundQuery } from '../../contract/sounds/sounds.ts';
import type { Api } from '../api/client.ts';
import { type FindSounds, listPage } from './list-page.ts';
import { type FoundSounds, NO_SOUNDS, joinPages } from './listing.ts';
import { toSoundQuery } from '../lib/sound-filters.ts';

/** A search reads at most this many pages of the host's listing, from the first. */
const PAGES_READ = 5;
/** Consecutive searches reuse the pages for this long. */
const FRESH_MS = 60_000;

/** The key of `CachedPages` among the remembered replies. */
const CACHE_KEY = 'first pages';

interface FirstPages {
  readonly sounds: readonly Sound[];
  /** Whether these are all sounds that the host lists. */
  readonly isAll: boolean;
}

/** The pages that the last search read. */
interface CachedPages {
  readonly type: string | null;
  readonly atMs: number;
  readonly pages: FirstPages;
}

/**
 * Searches a host without a search of its own: reads its first pages and matches the words in title, description and
 * artist like our own host. Results are in the host's order.
 */
export function createSearchPages(api: Api, replies: Map<string, unknown>): FindSounds {
  async function readOnce(type: string | null, query: SoundQuery): Promise<FirstPages> {
    const cached = replies.get(CACHE_KEY) as CachedPages | undefined;
    if (cached?.type === type && Date.now() - cached.atMs < FRESH_MS) return cached.pages;
    const pages = await readFirstPages(api, query);
    // Pages in progress are not shared (src/render/remembering.ts).
    replies.set(CACHE_KEY, { type, atMs: Date.now(), pages } satisfies CachedPages);
    return pages;
  }

  return async (filters, page) => {
    const { sounds, isAll } = await readOnce(filters.type, toSoundQuery(filters, 1, false));
    const terms = toSearchTerms(filters.search);
    const found = terms.length === 0 ? [] : sounds.filter((sound) => isFound(sound, terms));
    const end = page * PAGE_SIZE_DEFAULT;
    return {
      ...NO_SOUNDS,
      results: found.slice(end - PAGE_SIZE_DEFAULT, end),
      next: found.length > end ? page + 1 : null,
      count: found.length,
      searchedCount: isAll ? undefined : sounds.length,
    };
  };
}

/** After the first page, the others are read at the same time: a page with a slow host waits for two calls, not five. */
export async function readFirstPages(api: Api, query: SoundQuery): Promise<FirstPages> {
  const read = (page: number) => listPage(api, { ...query, page, page_size: PAGE_SIZE_MAX });
  const first = await read(1);
  const pages = first.next === null ? 1 : countPages(first);
  const others = Array.from({ length: Math.min(PAGES_READ, pages) - 1 }, (_, index) => read(index + 2));
  const lists: FoundSounds[] = [first, ...(await Promise.all(others))];
  return { sounds: joinPages(lists).results, isAll: lists.some(({ next }) => next === null) };
}

/** As many as there can be, if the host does not count its sounds. */
function countPages({ results, count = Infinity }: FoundSounds): number {
  return Math.ceil(count / Math.max(1, results.length));
}

function isFound({ title, description, artist_name }: Sound, terms: readonly SearchTerm[]): boolean {
  const names = [title, artist_name].map(toNameTokens);
  const tokens = new Set([
    ...names.flatMap(({ whole, prefixes }) => [...whole, ...prefixes]),
    ...toTextTokens(description),
  ]);
  return terms.every((alternatives) =>
    alternatives.some((pieces) => pieces.every((piece) => tokens.has(piece))),
  );
}
