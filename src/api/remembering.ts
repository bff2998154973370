import type { Api } from './client.ts';

/** Types, genres, pages and settings change rarely; after this time they are requested again. */
const FRESH_MS = 2000;

interface Remembered {
  readonly reply: Promise<unknown>;
  readonly atMs: number;
}

/**
 * The same API, with calls without parameters answered from `replies` while they are fresh. The owner of the map clears
 * it after a change. Failed calls are not kept.
 */
export function rememberReplies(api: Api, replies: Map<string, unknown>, now: () => number = Date.now): Api {
  return function call(endpoint, options) {
    if (options !== undefined || endpoint.method !== 'GET') return api(endpoint, options);
    const known = replies.get(endpoint.path) as Remembered | undefined;
    if (known && now() - known.atMs < FRESH_MS)
      return known.reply as ReturnType<typeof api<never, never, never>>;
    const reply = api(endpoint);
    const entry: Remembered = { reply, atMs: now() };
    replies.set(endpoint.path, entry);
    reply.catch(() => {
      if (replies.get(endpoint.path) === entry) replies.delete(endpoint.path);
    });
    return reply;
  };
}
