import { ApiError } from '../../contract/errors.ts';
import { type SoundQuery, listSounds } from '../../contract/sounds.ts';
import type { Api, CallOptions } from '../api/client.ts';
import type { HasCapability } from './capabilities.ts';
import { type FoundSounds, NO_SOUNDS } from './listing.ts';
import { type SoundFilters, toSoundQuery } from './sound-filters.ts';

/** How a call is given up, and who hears that it is tried again. */
type Watching = Pick<CallOptions<never>, 'signal' | 'onRetry'>;

/** Finds one page, from 1, of what the filters ask for. Throws `ApiError`. */
export type FindSounds = (filters: SoundFilters, page: number, watching?: Watching) => Promise<FoundSounds>;

/** One page of the host's listing. A page past the end, which hosts may answer with 404, is empty. */
export async function listPage(api: Api, query: SoundQuery, watching?: Watching): Promise<FoundSounds> {
  return api(listSounds, { query: { ...query }, ...watching }).catch((error: unknown) => {
    if (error instanceof ApiError && error.kind === 'not-found' && (query.page ?? 1) > 1) return NO_SOUNDS;
    throw error;
  });
}

/** The host's own search, or ours over its first pages where it has not announced `sound-search`. */
export function createFindSounds(api: Api, has: HasCapability): FindSounds {
  let searchPages: Promise<FindSounds> | undefined;
  return async (filters, page, watching) => {
    if (filters.search === '' || has('sound-search'))
      return listPage(api, toSoundQuery(filters, page, has), watching);
    searchPages ??= import('./search-pages.ts').then(({ createSearchPages }) => createSearchPages(api, has));
    return (await searchPages)(filters, page);
  };
}
