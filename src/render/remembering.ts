import { toCallPath } from '../../contract/endpoint.ts';
import type { Api } from '../api/client.ts';

/** Types, genres, pages and settings change rarely; after this time they are requested again. */
const FRESH_MS = 2000;

interface Remembered {
  readonly atMs: number;
  reply?: { readonly value: unknown };
}

/**
 * The same API, with calls without parameters answered from `replies` while they are fresh. The owner of the map clears
 * it after a change. Failed calls are not kept. Calls in progress are not shared: on an edge runtime they end with
 * the request that made them, and another request would wait forever.
 */
export function rememberReplies(api: Api, replies: Map<string, unknown>, now: () => number = Date.now): Api {
  return async function call(endpoint, options) {
    if (options !== undefined || endpoint.method !== 'GET') return api(endpoint, options);
    const known = replies.get(endpoint.path) as Remembered | undefined;
    if (known?.reply && now() - known.atMs < FRESH_MS)
      return known.reply.value as ReturnType<typeof api<never, never, never>>;
    // In the map from the start, so that a change during the call removes it.
    const entry: Remembered = { atMs: now() };
    replies.set(endpoint.path, entry);
    const value = await api(endpoint);
    entry.reply = { value };
    return value;
  };
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
