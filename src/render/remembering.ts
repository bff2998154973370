import { LRUCache } from 'lru-cache';
import { toCallPath } from '../../contract/calls/endpoint.ts';
import { countFacts } from '../../contract/sounds/fact-counts.ts';
import type { Api, CallOptions } from '../api/client.ts';

/** Types, genres, pages and settings change rarely; after this time they are requested again. */
const FRESH_MS = 2000;
/** The numbers beside the filters of this many listings are cached: 10 KB each. */
const COUNTS_CACHED_MAX = 100;
/** The key of those numbers among the replies. */
const COUNTS = 'counts';

interface Remembered {
  readonly atMs: number;
  reply?: { readonly value: unknown };
}

/**
 * The same API, with calls that many pages make answered from `replies` while they are fresh: those without parameters,
 * and the numbers beside filters, which are the same in every order and on every page of a listing. The owner of the map
 * clears it after a change. Failed calls are not cached. Calls in progress are not shared: on an edge runtime they end with
 * the request that made them, and another request would wait forever.
 */
export function rememberReplies(api: Api, replies: Map<string, unknown>, now: () => number = Date.now): Api {
  return async function call(endpoint, options) {
    const cache = endpoint.method === 'GET' ? findCache(replies, endpoint.path, options) : undefined;
    if (cache === undefined) return api(endpoint, options);
    const key = toCallPath(endpoint, {}, options?.query);
    const cached = cache.get(key) as Remembered | undefined;
    if (cached?.reply && now() - cached.atMs < FRESH_MS)
      return cached.reply.value as ReturnType<typeof api<never, never, never>>;
    // Stored from the start, so that a change during the call removes it.
    const entry: Remembered = { atMs: now() };
    cache.set(key, entry);
    const value = await api(endpoint, options);
    entry.reply = { value };
    return value;
  };
}

/** The cache for the reply of a call; undefined if it is not cached. */
function findCache(replies: Map<string, unknown>, path: string, options?: CallOptions<string>) {
  if (options === undefined) return replies;
  if (path !== countFacts.path) return undefined;
  return findAmong(replies, COUNTS, () => new LRUCache<string, Remembered>({ max: COUNTS_CACHED_MAX }));
}

/** A collection among the replies, which is dropped with them after a change. */
export function findAmong<Collection>(
  replies: Map<string, unknown>,
  key: string,
  create: () => Collection,
): Collection {
  const found = (replies.get(key) as Collection | undefined) ?? create();
  replies.set(key, found);
  return found;
}

/** The same API for one page: equal reads are one call, also when it failed. */
export function shareReads(api: Api): Api {
  const reads = new Map<string, Promise<unknown>>();
  return (endpoint, options) => {
    if (endpoint.method !== 'GET') return api(endpoint, options);
    const path = toCallPath(endpoint, options?.params ?? {}, options?.query);
    const read = reads.get(path) ?? api(endpoint, options);
    reads.set(path, read);
    return read as ReturnType<typeof api<never, never, never>>;
  };
}
