import { ApiError } from '../../contract/errors.ts';
import { type SoundQuery, listSounds } from '../../contract/sounds.ts';
import type { Api, CallOptions } from '../api/client.ts';
import type { HasCapability } from './capabilities.ts';
import { type FoundSounds, NO_SOUNDS } from './listing.ts';
import { type SoundFilters, toSoundQuery } from './sound-filters.ts';

/** How to abort a call, and a callback for retries. */
type Watching = Pick<CallOptions<never>, 'signal' | 'onRetry'>;

/** Returns one page, counted from 1, of the sounds that match the filters. Throws `ApiError`. */
export type FindSounds = (filters: SoundFilters, page: number, watching?: Watching) => Promise<FoundSounds>;

/** One page of the host's listing. A page past the end, which some hosts answer with 404, is empty. */
export async function listPage(api: Api, query: SoundQuery, watching?: Watching): Promise<FoundSounds> {
  return api(listSounds, { query: { ...query }, ...watching }).catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === 'not-found' && (query.page ?? 1) > 1) return NO_SOUNDS;
    throw error;
  });
}

/**
 * Uses the host's search, or ours over its first pages if it has not announced `sound-search`. `replies` keeps those
 * pages for the next search.
 */
export function createFindSounds(api: Api, has: HasCapability, replies: Map<string, unknown>): FindSounds {
  let searchPages: Promise<FindSounds> | undefined;
  return async (filters, page, watching) => {
    if (filters.search === '' || has('sound-search'))
      return listPage(api, toSoundQuery(filters, page, has), watching);
    searchPages ??= import('./search-pages.ts').then(({ createSearchPages }) =>
      createSearchPages(api, has, replies),
    );
    return (await searchPages)(filters, page);
  };
}
